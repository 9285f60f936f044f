let isPressed = false;
addEventListener('pointerdown', () => (isPressed = true), true);
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (isPressed = false), true);

/**
 * Does what moves the page once the pointer is up and its click has landed: a row that moves in the midst of a press is
 * missed by it.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) return act();
  addEventListener('pointerup', () => setTimeout(act), { once: true });
}
