import { oneLine } from '../../../base/plain';
import { Select } from '../../../editor/page/select';
import { EarlierPrompts } from './earlierPrompts';
import type { Action, FormState } from './state';
import { useTexts } from './texts';

type Style = NonNullable<FormState['style']>;

const wordsId = 'style-words';

/** Below the prompt: earlier prompts, and the style of the project with what it adds; nothing without any. */
export function PromptTools(props: { readonly state: FormState; readonly dispatch: (action: Action) => void }) {
  const { style, prompts } = props.state;
  const hasStyles = style !== undefined && style.options.length > 0;
  if (!hasStyles && prompts.length === 0) return null;
  return (
    <div class="prompt-tools">
      <EarlierPrompts {...props} />
      {hasStyles && <StyleSelect style={style} onChoose={(id) => props.dispatch({ type: 'styled', id })} />}
      {style?.chosen && <StyleWords chosen={style.chosen} />}
    </div>
  );
}

function StyleSelect(props: { readonly style: Style; readonly onChoose: (id: string | undefined) => void }) {
  const texts = useTexts();
  const { options, chosen, wanted = chosen } = props.style;
  return (
    <div class="style">
      <span aria-hidden="true">{texts.say('style')}</span>
      <Select
        label={texts.say('style')}
        describedBy={chosen && wordsId}
        value={wanted?.id ?? ''}
        options={[['', texts.say('noStyle')], ...options.map(({ id, label }) => [id, label] as const)]}
        onChange={(id) => props.onChoose(id === '' ? undefined : id)}
      />
    </div>
  );
}

/** What is sent besides the person’s own values, and what isn’t. */
function StyleWords({ chosen }: { readonly chosen: NonNullable<Style['chosen']> }) {
  const texts = useTexts();
  const [before, after] = [shown(chosen.before), shown(chosen.after)];
  return (
    <p id={wordsId} class="hint words">
      {before + after !== '' && <span>{texts.say('styleSends', [before, '…', after].filter(Boolean).join(' '))}</span>}
      {chosen.leftOut.length > 0 && <span>{texts.say('styleLeavesOut', chosen.leftOut.join(', '))}</span>}
    </p>
  );
}

function shown(words: string): string {
  return oneLine(words, 400);
}
