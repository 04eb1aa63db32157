/**
 * Gives a function that calls back before the next frame, once for all of its calls until then: lines come in several
 * messages a frame. A page that is hidden has no frames, and is called back when it is seen again.
 */
export function oncePerFrame(callback: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      callback();
    });
  };
}
