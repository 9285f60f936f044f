import { compareModes } from './compareMessages';
import { ButtonBar } from '../../../editor/page/buttonBar';
import { IconButton } from '../../../editor/page/iconButton';
import { useCompareTexts } from './compareTexts';
import type { ComparedProps } from './compareProps';
import { canDecide, canOverlay, modeOf } from './state';

const enlargement = 1.25;

/** How the images are seen, and the decision on the new one: two stops for Tab, right before the images. */
export function Toolbar({ state, comparison, dispatch }: ComparedProps) {
  const texts = useCompareTexts();
  return (
    <div class="bar">
      <ButtonBar class="view" aria-label={texts.say('view')}>
        {canOverlay(state) && (
          <div class="modes" role="group" aria-label={texts.say('modes')}>
            {compareModes.map((mode, index) => (
              <button
                key={mode}
                type="button"
                class="mode"
                aria-pressed={modeOf(state) === mode}
                aria-keyshortcuts={String(index + 1)}
                onClick={() => dispatch({ type: 'chosen', mode })}
              >
                {texts.say(mode)}
              </button>
            ))}
          </div>
        )}
        <div class="zoom" role="group" aria-label={texts.say('zooming')}>
          <IconButton
            icon="zoom-out"
            label={texts.say('zoomOut')}
            onClick={() => dispatch({ type: 'zoomed', factor: 1 / enlargement })}
          />
          <output>{texts.say('zoom', Math.round(state.zoom.scale * 100))}</output>
          <IconButton
            icon="zoom-in"
            label={texts.say('zoomIn')}
            onClick={() => dispatch({ type: 'zoomed', factor: enlargement })}
          />
          <IconButton icon="screen-full" label={texts.say('fit')} onClick={() => dispatch({ type: 'fitted' })} />
        </div>
      </ButtonBar>
      {comparison.decisions.length > 0 && (
        <ButtonBar class="decisions" aria-label={texts.say('decision')}>
          {comparison.decisions.map((decision, index) => (
            <button
              key={decision}
              type="button"
              class={index === 0 ? 'vscode-button' : 'vscode-button secondary'}
              title={texts.say(`${decision}Help`)}
              // Not `disabled`: the button keeps the focus.
              aria-disabled={!canDecide(state, decision)}
              onClick={() => canDecide(state, decision) && dispatch({ type: 'decided', decision })}
            >
              {texts.say(decision)}
            </button>
          ))}
        </ButtonBar>
      )}
    </div>
  );
}
