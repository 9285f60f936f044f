import { useTexts } from './texts';
import { drawSeed } from '../../../catalog/fields';
import { isTyping, shared, textOf, type ControlProps } from './control';

/** A number that makes a result repeatable, with a button for a random one. */
export function SeedControl(props: ControlProps) {
  const texts = useTexts();
  const roll = texts.say('roll', props.field.label);
  return (
    <div class="seed">
      <input
        {...shared(props)}
        type="text"
        inputMode="numeric"
        class="vscode-textfield number"
        autocomplete="off"
        value={textOf(props.value)}
        placeholder={texts.say('randomSeed')}
        onInput={(event) => props.onChange(event.currentTarget.value, isTyping(event))}
      />
      <button
        type="button"
        class="vscode-action-button dice"
        aria-label={roll}
        title={roll}
        onClick={() => props.onChange(String(drawSeed(props.field, Math.random())))}
      >
        <Dice />
      </button>
    </div>
  );
}

/** Codicons have no dice. */
function Dice() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" fill="none" stroke="currentColor" />
      {[
        [5.5, 5.5],
        [10.5, 5.5],
        [8, 8],
        [5.5, 10.5],
        [10.5, 10.5],
      ].map(([x, y]) => (
        <circle cx={x} cy={y} r="1" fill="currentColor" />
      ))}
    </svg>
  );
}
