import { useEffect } from 'preact/hooks';

/**
 * Gives the focus of a page that opens to this control, with the cursor at its end: as soon as the page itself has it,
 * so that nobody who is writing elsewhere loses it.
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
