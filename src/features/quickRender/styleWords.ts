import * as vscode from 'vscode';
import type { AppliedStyle } from '../../compose/appliedStyle';
import { iconless } from '../../base/plain';
import type { FieldValue } from '../../catalog/fields';
import type { Field } from '../../catalog/types';
import { notTakenWords } from '../../compose/notTakenWords';
import { fieldWords, type RowWords } from './quickRenderWords';

/** The style in use, and what the model doesn’t take of it. */
export function styleWords(style: AppliedStyle | undefined): RowWords {
  const name = style ? style.label : vscode.l10n.t('None');
  return {
    icon: 'paintcan',
    label: vscode.l10n.t('Project style'),
    description: iconless([name, notTakenWords(style)].filter(Boolean).join(' · ')),
  };
}

/** A field with the value that the style has for it. */
export function fixedWords(field: Field, value: FieldValue): RowWords {
  const { label, description } = fieldWords(field, value);
  return { icon: 'lock', label, description: [description, vscode.l10n.t('set by the style')].join(' · ') };
}

/** The prompt as it’s sent with the style; undefined if that has no words, or nothing is typed. */
export function sentWords(style: AppliedStyle | undefined, prompt: string, isBlank: boolean): string | undefined {
  if (!style || isBlank || style.before + style.after === '') return undefined;
  return vscode.l10n.t('Sends: {0}', iconless(prompt, 400));
}
