"""How fast we are: one module per area, each benchmark a function from settings to rows."""
