/** A codicon beside words: it says nothing of its own to a screen reader. */
export function Icon(props: { readonly name: string; readonly spin?: boolean }) {
  return (
    <span class={`codicon codicon-${props.name}${props.spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}
