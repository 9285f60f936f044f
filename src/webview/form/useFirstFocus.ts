import { useEffect } from 'preact/hooks';

/**
 * Focuses this control when the page opens, with the cursor at the end, but only once the page itself has the focus:
 * opening it must not take the focus from someone who is typing elsewhere.
 */
export function useFirstFocus(control: () => HTMLElement | null | undefined): void {
  useEffect(() => {
    const take = () => {
      if (document.activeElement !== document.body) return;
      const element = control();
      element?.focus({ preventScroll: true });
      if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length);
    };
    if (document.hasFocus()) return take();
    window.addEventListener('focus', take, { once: true });
    return () => window.removeEventListener('focus', take);
  }, []);
}
