import * as vscode from 'vscode';
import type { Json } from '../base/json';
import type { Field, Model, ModelSummary } from '../catalog/types';
import { oneLine } from './plain';

/** More fields than this are only counted. */
const mostFields = 12;

/** What a model is and takes. Every word of the service is text: no link, no command, no icon. */
export function modelTooltip(model: ModelSummary | Model): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown('**').appendText(oneLine(model.title)).appendMarkdown('**  \n').appendText(oneLine(model.id));
  if (model.description !== undefined) tooltip.appendMarkdown('\n\n').appendText(oneLine(model.description, 400));
  if ('fields' in model) appendFields(tooltip, model.fields);
  return tooltip;
}

function appendFields(tooltip: vscode.MarkdownString, fields: readonly Field[]): void {
  tooltip.appendMarkdown('\n\n');
  for (const field of fields.slice(0, mostFields)) {
    tooltip.appendMarkdown('\n- ').appendText(`${oneLine(field.label, 60)}: ${fieldWords(field)}`);
  }
  const more = fields.length - mostFields;
  if (more > 0) tooltip.appendMarkdown('\n- ').appendText(vscode.l10n.t('and {0} more', more));
}

function fieldWords(field: Field): string {
  const type = oneLine(field.statedType, 40);
  if (field.default !== undefined) return vscode.l10n.t('{0}, default {1}', type, valueWords(field.default));
  return field.required ? vscode.l10n.t('{0}, required', type) : vscode.l10n.t('{0}, optional', type);
}

function valueWords(value: Json): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 60);
}
