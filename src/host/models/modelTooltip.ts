import * as vscode from 'vscode';
import type { Json } from '../../base/json';
import type { Choice, Field, Model, ModelSummary } from '../../catalog/types';
import { appendLine, oneLine } from '../../base/plain';

/** Beyond this, fields are only counted: the form has all of them. */
const mostFields = 5;
/** Beyond this, options are only counted. */
const mostChoices = 5;

/** A model and its fields. The service's texts are plain text: no links, commands, or icons. */
export function modelTooltip(model: ModelSummary | Model): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  appendLine(tooltip.appendMarkdown('**'), oneLine(model.title)).appendMarkdown('**  \n');
  appendLine(tooltip, oneLine(model.id));
  if (model.description !== undefined) appendLine(tooltip.appendMarkdown('\n\n'), oneLine(model.description, 400));
  if ('fields' in model) appendFields(tooltip, model.fields);
  return tooltip;
}

function appendFields(tooltip: vscode.MarkdownString, fields: readonly Field[]): void {
  tooltip.appendMarkdown('\n\n');
  // The fields that a person has to fill in come first.
  const shown = fields.toSorted((a, b) => Number(b.required) - Number(a.required)).slice(0, mostFields);
  for (const field of shown) {
    appendLine(tooltip.appendMarkdown('\n- **'), oneLine(field.label, 60)).appendMarkdown('** ');
    appendLine(tooltip, factsOf(field).join(' · '));
  }
  const more = fields.length - mostFields;
  if (more > 0) appendLine(tooltip.appendMarkdown('\n- '), vscode.l10n.t('and {0} more', more));
}

/** The accepted values of a field, and its default. */
export function factsOf(field: Field): string[] {
  const { required, maxLength, step } = field;
  return [
    required ? vscode.l10n.t('required') : undefined,
    typeWords(field),
    boundsWords(field),
    step === undefined || step === 1 ? undefined : vscode.l10n.t('step {0}', step),
    maxLength === undefined ? undefined : vscode.l10n.t('up to {0} characters', maxLength),
    defaultWords(field),
  ].filter((fact) => fact !== undefined);
}

function typeWords(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return choiceWords(field.choices ?? []);
    case 'boolean':
      return vscode.l10n.t('yes or no');
    case 'integer':
    case 'seed':
      return vscode.l10n.t('whole number');
    case 'number':
      return vscode.l10n.t('number');
    case 'text':
    case 'longText':
      return vscode.l10n.t('text');
    case 'json':
      return oneLine(field.statedType, 40);
  }
}

function choiceWords(choices: readonly Choice[]): string {
  const named = choices
    .slice(0, mostChoices)
    .map(({ label }) => oneLine(label, 30))
    .join(', ');
  const more = choices.length - mostChoices;
  return more > 0 ? vscode.l10n.t('{0}, and {1} more', named, more) : named;
}

function boundsWords({ kind, minimum, maximum }: Field): string | undefined {
  // A seed's limits are those of machine numbers, and say nothing.
  if (kind === 'seed') return undefined;
  if (minimum !== undefined && maximum !== undefined) return vscode.l10n.t('{0} to {1}', minimum, maximum);
  if (minimum !== undefined) return vscode.l10n.t('at least {0}', minimum);
  return maximum === undefined ? undefined : vscode.l10n.t('at most {0}', maximum);
}

function defaultWords({ kind, default: value }: Field): string | undefined {
  // A seed without a value is drawn at random.
  return kind === 'seed' || value === undefined ? undefined : vscode.l10n.t('default {0}', valueWords(value));
}

function valueWords(value: Json): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 60);
}
