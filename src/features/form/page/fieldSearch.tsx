import { Icon } from '../../../editor/page/icon';
import { filteredFields, type Action, type FormState } from './state';
import { useTexts } from './texts';

/** Narrows a long list of fields to those with these words, or to the changed ones. */
export function FieldSearch({
  state,
  dispatch,
}: {
  readonly state: FormState;
  readonly dispatch: (action: Action) => void;
}) {
  const texts = useTexts();
  const { text = '', changed } = state.filter ?? {};
  return (
    <div class="field-search" role="search">
      <div class="box">
        <Icon name="search" />
        <input
          type="search"
          class="vscode-textfield"
          spellcheck={false}
          aria-label={texts.say('searchInputs')}
          placeholder={texts.say('searchInputs')}
          value={text}
          onInput={(event) => dispatch({ type: 'searched', text: event.currentTarget.value })}
        />
      </div>
      <button
        type="button"
        class="toggle"
        aria-pressed={changed !== undefined}
        onClick={() => dispatch({ type: 'changedToggled' })}
      >
        {texts.say('changedOnly')}
      </button>
      <p class="quiet none" role="status">
        {filteredFields(state).length === 0 && texts.say('noInputs')}
      </p>
    </div>
  );
}
