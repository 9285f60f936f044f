import { useEffect } from 'preact/hooks';

/**
 * Focuses this control when the page opens, with the cursor at the end, but only once the page itself has the focus:
 * opening it must not take the focus from someone who is typing elsewhere. `isThere`: the control is in the page.
 */
export function useFirstFocus(control: () => HTMLElement | null | undefined, isThere = true): void {
  useEffect(() => {
    if (!isThere) return;
    const take = () => {
      if (document.activeElement !== document.body) return;
      const element = control();
      element?.focus({ preventScroll: true });
      if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length);
    };
    // Effects may run in the middle of a render, which a page that notes its focus would begin once more.
    if (document.hasFocus()) return queueMicrotask(take);
    window.addEventListener('focus', take, { once: true });
    return () => window.removeEventListener('focus', take);
  }, [isThere]);
}
