import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { ComparisonView } from './compareMessages';
import { Captions } from './captions';
import { CompareTexts, CompareTextsProvider, useCompareTexts } from './compareTexts';
import type { ComparedProps, CompareProps } from './compareProps';
import { Stage } from './stage';
import { keyAction, modeOf, slidOf, type CompareState } from './state';
import { Toolbar } from './toolbar';

/** The whole comparison. Shows nothing before texts and images have arrived. */
export function CompareView({ state, dispatch }: CompareProps) {
  const given = state.texts;
  const texts = useMemo(() => given && new CompareTexts(given.strings, given.locale), [given]);
  if (!texts || !state.comparison) return null;
  return (
    <CompareTextsProvider value={texts}>
      <Comparison state={state} comparison={state.comparison} dispatch={dispatch} />
    </CompareTextsProvider>
  );
}

function Comparison({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  useKeys(state, dispatch);
  return (
    <main class="compare">
      <h1 class="only-heard">{texts.say('comparison')}</h1>
      <p class="only-heard" role="status">
        {heardOf(state, comparison, texts)}
      </p>
      <Toolbar state={state} comparison={comparison} dispatch={dispatch} />
      <Stage state={state} comparison={comparison} dispatch={dispatch} />
      <Slide state={state} comparison={comparison} dispatch={dispatch} />
      <Captions state={state} comparison={comparison} dispatch={dispatch} />
    </main>
  );
}

/** The page's keyboard shortcuts. A focused slider keeps its own keys. */
function useKeys(state: CompareState, dispatch: CompareProps['dispatch']): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isSliding = event.target instanceof HTMLInputElement && event.key.startsWith('Arrow');
      const action = isSliding ? undefined : keyAction(event.key, event.shiftKey, state);
      if (!action) return;
      dispatch(action);
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [state, dispatch]);
}

/** The mode's slider, for pointers and screen readers. */
function Slide({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  const slid = slidOf(state);
  if (slid === undefined) return null;
  const top = comparison.pictures[1]?.title ?? '';
  return (
    <input
      class="slide"
      type="range"
      min={0}
      max={100}
      value={Math.round(slid * 100)}
      aria-label={modeOf(state) === 'slider' ? texts.say('divider') : texts.say('opacity', top)}
      aria-valuetext={texts.say('zoom', Math.round(slid * 100))}
      onInput={(event) => dispatch({ type: 'slid', to: Number(event.currentTarget.value) / 100 })}
    />
  );
}

function heardOf(state: CompareState, { pictures }: ComparisonView, texts: CompareTexts): string {
  const [first, second] = pictures.map(({ title }) => title);
  const mode = modeOf(state);
  if (mode === 'sideBySide') return texts.say('sideBySideHeard', pictures.length);
  return texts.say(`${mode}Heard`, first ?? '', second ?? '');
}
