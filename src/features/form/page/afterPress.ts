let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPressed = false), true);

/**
 * Defers a layout change until the pointer is released and its click handled: a click misses a row that moves during
 * the press.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) return act();
  addEventListener('pointerup', () => setTimeout(act), { once: true });
}
