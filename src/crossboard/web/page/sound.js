// A short tone for each move of the others, made here: no file is loaded.

/** @type {AudioContext | null} */
let context = null;

/** @param {boolean} isOwnTurn a higher tone says that it is our turn */
export function playTone(isOwnTurn) {
  // A browser lets a page sound only after a first click or key.
  if (!(/** @type {any} */ (navigator).userActivation?.hasBeenActive)) return;
  context ??= new AudioContext();
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = isOwnTurn ? 660 : 440;
  volume.gain.setValueAtTime(0.08, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.18);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.2);
}
