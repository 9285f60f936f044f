import { useEffect, useRef } from 'preact/hooks';
import { promptField, type FieldValue } from '../../../catalog/fields';
import type { Field } from '../../../catalog/types';
import { recallByKey } from './earlierPrompts';
import { FieldRow } from './fieldRow';
import { FixedRow } from './fixedRow';
import { isVariable } from '../../../compose/varying';
import { Icon } from '../../../editor/page/icon';
import { FieldSearch } from './fieldSearch';
import { PromptTools } from './promptTools';
import {
  arranged,
  filteredFields,
  fixedOf,
  isChanged,
  isFiltering,
  shownIssue,
  valueOf,
  type Action,
  type FormState,
} from './state';
import { useTexts } from './texts';
import { useFirstFocus } from '../../../editor/page/useFirstFocus';
import { VariedRow } from './variedRow';

/** The model's inputs in the service's order, with many optional ones collapsed. */
export function Fields(props: {
  readonly state: FormState;
  readonly fields: readonly Field[];
  readonly dispatch: (action: Action) => void;
}) {
  const { state, fields, dispatch } = props;
  const { main, more } = arranged(fields);
  const place = useRef<HTMLDivElement>(null);
  const focus = state.focus;
  const first = promptField(fields) ?? fields[0];
  useFirstFocus(() => (first ? place.current?.querySelector(`#${idOf(fields.indexOf(first))}`) : undefined));
  useEffect(() => {
    if (!focus) return;
    const index = fields.findIndex((field) => field.name === focus.field);
    place.current?.querySelector<HTMLElement>(`#${idOf(index)}`)?.focus();
  }, [focus]);

  const prompt = promptField(fields);
  const promptId = prompt && idOf(fields.indexOf(prompt));
  const fixedRow = (field: Field, value: FieldValue) => (
    <FixedRow
      key={field.name}
      field={field}
      id={idOf(fields.indexOf(field))}
      value={value}
      style={state.style?.chosen?.label ?? ''}
      shown={shownIssue(state, field)}
    />
  );
  const variedRow = (field: Field) => (
    <VariedRow
      key={field.name}
      field={field}
      id={idOf(fields.indexOf(field))}
      value={valueOf(state, field.name)}
      variants={state.variants}
      shown={shownIssue(state, field)}
      onChange={(values) => dispatch({ type: 'varied', field: field.name, values })}
    />
  );
  const ownRow = (field: Field) => (
    <FieldRow
      key={field.name}
      field={field}
      id={idOf(fields.indexOf(field))}
      value={valueOf(state, field.name)}
      shown={shownIssue(state, field)}
      onChange={(value, typing) => dispatch({ type: 'edited', field: field.name, value, typing })}
      images={{
        urls: state.images,
        onAsk: (ask) => dispatch({ type: 'asked', ask }),
        onRefuse: (problem) => dispatch({ type: 'imageRefused', field: field.name, problem }),
      }}
      onLeave={() => dispatch({ type: 'left', field: field.name })}
      onReset={() => dispatch({ type: 'fieldReset', field: field.name })}
    />
  );
  const row = (field: Field) => {
    const fixed = fixedOf(state, field.name);
    if (fixed !== undefined) return fixedRow(field, fixed);
    return state.varying && isVariable(field) ? variedRow(field) : ownRow(field);
  };
  const rowWithPrompts = (field: Field) =>
    field === prompt ? [row(field), <PromptTools key="tools" state={state} dispatch={dispatch} />] : row(field);
  const isNarrowed = isFiltering(state);
  return (
    <div
      class="fields"
      ref={place}
      onKeyDown={(event) => (event.target as Element).id === promptId && recallByKey(event, dispatch)}
    >
      {more.length > 0 && <FieldSearch state={state} dispatch={dispatch} />}
      {(isNarrowed ? filteredFields(state) : main).map(rowWithPrompts)}
      {more.length > 0 && !isNarrowed && (
        <details
          class="more"
          open={state.moreOpen}
          onToggle={(event) => dispatch({ type: 'moreToggled', open: event.currentTarget.open })}
        >
          <summary>
            <Icon name="chevron-right" />
            <MoreTitle count={more.length} changed={countChanged(more, state)} />
          </summary>
          {more.map(row)}
        </details>
      )}
    </div>
  );
}

function MoreTitle({ count, changed }: { readonly count: number; readonly changed: number }) {
  const texts = useTexts();
  return <span>{changed > 0 ? texts.say('moreOptionsChanged', count, changed) : texts.say('moreOptions', count)}</span>;
}

function countChanged(fields: readonly Field[], state: FormState): number {
  return fields.filter((field) => isChanged(field, valueOf(state, field.name))).length;
}

function idOf(index: number): string {
  return `field-${index}`;
}
