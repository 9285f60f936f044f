import * as vscode from 'vscode';
import { decimalOf, withPoint } from '../../base/decimal';
import { checkField, type FieldValue } from '../../catalog/fields';
import type { Field } from '../../catalog/types';
import { offerBack, untilLeft } from '../../editor/boxes';
import { inputStep } from '../../editor/inputStep';
import { iconless, oneLine } from '../../base/plain';
import { issueSentence } from '../../editor/issueSentence';
import { inLanguage, leftOutWords, yesNo } from './quickRenderWords';

interface FieldPick extends vscode.QuickPickItem {
  readonly value: string | number | boolean;
}

/**
 * Asks for the value of one field of a model; `problem` is what the service says about the current one. Undefined when
 * the person goes back.
 */
export function askField(field: Field, value: FieldValue, problem?: string): Promise<FieldValue | undefined> {
  const said = problem === undefined ? undefined : vscode.l10n.t('The service says: {0}', iconless(problem));
  const isPicked = field.kind === 'choice' || field.kind === 'boolean';
  return isPicked ? pickValue(field, value, said) : typeValue(field, value, said);
}

async function typeValue(
  field: Field,
  value: FieldValue,
  problem: string | undefined,
): Promise<FieldValue | undefined> {
  const isJson = typeof value === 'object' && 'json' in value;
  const answer = await inputStep({
    title: oneLine(field.label, 80),
    back: true,
    prompt: imageWords(field) ?? oneLine(field.help ?? leftOutWords(field)),
    placeholder: oneLine(leftOutWords(field), 80),
    value:
      typeof value === 'object'
        ? isJson
          ? value.json
          : ''
        : field.kind === 'number'
          ? inLanguage(value)
          : oneLineOf(field, value),
    problem,
    check: (text) => {
      const issue = checkField(field, read(field, text, isJson));
      return issue && issueSentence(issue);
    },
  });
  if (typeof answer !== 'object') return undefined;
  // Nothing was entered in place of an image that was chosen in the form.
  const isKept = typeof value === 'object' && 'image' in value && answer.text === '';
  return isKept ? value : read(field, answer.text, isJson);
}

/** A box has one line. */
function oneLineOf({ kind }: Field, value: string | number | boolean): string {
  return kind === 'images' ? String(value).replaceAll('\n', ' ') : String(value);
}

/** A box takes no files. */
function imageWords({ kind }: Field): string | undefined {
  if (kind === 'image') return vscode.l10n.t('This input takes an image. Enter its URL, or choose a file in the form.');
  return kind === 'images'
    ? vscode.l10n.t('This input takes several images. Enter their URLs, with a space between them.')
    : undefined;
}

/** A field of an unknown type accepts JSON if that is what was typed. */
function read(field: Field, text: string, isJson: boolean): FieldValue {
  if (field.kind === 'number') return withPoint(text, decimalOf(vscode.env.language));
  return isJson || (field.kind === 'json' && /^\s*[[{]/.test(text)) ? { json: text } : text;
}

function pickValue(field: Field, value: FieldValue, problem: string | undefined): Promise<FieldValue | undefined> {
  return untilLeft<FieldValue>((leave, own) => {
    const picker = own.add(vscode.window.createQuickPick<FieldPick>());
    picker.title = oneLine(field.label, 80);
    picker.placeholder = problem ?? (field.help === undefined ? undefined : oneLine(field.help));
    picker.items = picksOf(field);
    picker.activeItems = picker.items.filter(
      (pick) => typeof value !== 'object' && String(pick.value) === String(value),
    );
    own.add(offerBack(picker, () => leave(undefined)));
    own.add(picker.onDidAccept(() => leave(picker.selectedItems[0]?.value)));
    return picker;
  });
}

function picksOf(field: Field): FieldPick[] {
  const leave = { label: vscode.l10n.t('Model decides'), description: defaultWords(field), value: '' };
  const choices = field.kind === 'boolean' ? yesOrNo() : choicesOf(field);
  return field.required ? choices : [...choices, leave];
}

function defaultWords(field: Field): string | undefined {
  return field.default === undefined ? undefined : leftOutWords(field);
}

function yesOrNo(): FieldPick[] {
  return [true, false].map((value) => ({ label: yesNo(value), value }));
}

function choicesOf({ choices = [] }: Field): FieldPick[] {
  return choices.map(({ value, label }) => ({ label: iconless(label, 100), value }));
}
