// Renders state to elements: h() describes an element, render() makes the page so.

/**
 * @typedef {{tag: string, key: string | null, props: Record<string, any>, children: Child[]}} Node_
 * @typedef {Node_ | string} Child
 */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "circle", "rect", "g", "polygon", "line", "text"]);

/**
 * Describe an element. Properties that begin with "on" are listeners, those with "." are set on
 * the element itself, all others are attributes; null, undefined and false leave them out.
 * @param {string} tag
 * @param {Record<string, any> | null} props
 * @param {...(Child | Child[] | null | undefined | false | number)} children
 * @returns {Node_}
 */
export function h(tag, props, ...children) {
  const kept = children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : child));
  const { key = null, ...rest } = props ?? {};
  return { tag, key, props: rest, children: /** @type {Child[]} */ (kept) };
}

/**
 * Make the children of an element what is described, keeping the elements that stay.
 * @param {Element} parent
 * @param {Child[]} children
 */
export function render(parent, children) {
  const old = [...parent.childNodes];
  const keyed = new Map(old.map((node) => [/** @type {any} */ (node).renderKey, node]));
  keyed.delete(undefined);
  let place = 0;
  for (const child of children) {
    const now = parent.childNodes[place] ?? null;
    const wanted = typeof child !== "string" && child.key !== null ? keyed.get(child.key) : now;
    const node = fits(wanted ?? null, child) ? /** @type {ChildNode} */ (wanted) : make(child);
    if (node !== now) parent.insertBefore(node, now);
    update(node, child);
    place += 1;
  }
  while (parent.childNodes.length > place) parent.lastChild?.remove();
}

/** @param {ChildNode | null} node @param {Child} child */
function fits(node, child) {
  if (node === null) return false;
  if (typeof child === "string") return node.nodeType === Node.TEXT_NODE;
  return (
    node instanceof Element &&
    node.localName === child.tag &&
    (/** @type {any} */ (node).renderKey ?? null) === child.key
  );
}

/** @param {Child} child @returns {ChildNode} */
function make(child) {
  if (typeof child === "string") return document.createTextNode(child);
  const element = SVG_TAGS.has(child.tag)
    ? document.createElementNS(SVG, child.tag)
    : document.createElement(child.tag);
  if (child.key !== null) /** @type {any} */ (element).renderKey = child.key;
  return element;
}

/** @param {ChildNode} node @param {Child} child */
function update(node, child) {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = /** @type {any} */ (node);
  const before = element.renderProps ?? {};
  for (const name of Object.keys(before)) {
    if (!(name in child.props)) set(element, name, null, before[name]);
  }
  for (const [name, value] of Object.entries(child.props)) {
    if (value !== before[name]) set(element, name, value, before[name]);
  }
  element.renderProps = child.props;
  // An element without described children takes care of its own.
  if (child.children.length || element.renderHadChildren) render(element, child.children);
  element.renderHadChildren = child.children.length > 0;
}

/** @param {any} element @param {string} name @param {any} value @param {any} before */
function set(element, name, value, before) {
  if (name.startsWith("on")) {
    const event = name.slice(2);
    if (before) element.removeEventListener(event, before);
    if (value) element.addEventListener(event, value);
  } else if (name.startsWith(".")) {
    element[name.slice(1)] = value;
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}
