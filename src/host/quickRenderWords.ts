import * as vscode from 'vscode';
import { formatCents } from '../base/money';
import type { FieldIssue, FieldValue } from '../catalog/fields';
import type { Field, Model } from '../catalog/types';
import { englishStrings, issueText } from '../form/strings';
import type { Target } from '../renders/record';
import type { LinkPlace } from './linkPlace';
import { iconless } from './plain';
import type { FirstRow } from './quickRenderState';
import { folderWords } from './targets';
import { sentenceOf, waitSentence } from './words';

/** What a row shows. */
export interface RowWords {
  readonly icon: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** The icon of what has to be waited for. */
export const waiting = 'loading~spin';

/** The first row: what Enter would order, or why it orders nothing and what to do. */
export function firstWords(row: FirstRow, inserting: boolean): RowWords {
  switch (row.says) {
    case 'order':
      return { icon: 'zap', label: inserting ? insertingWords(row) : orderWords(row) };
    case 'notStated':
      return {
        icon: 'zap',
        label: vscode.l10n.t('Render · price not stated'),
        detail: vscode.l10n.t('The service states no price for these inputs. You are asked before anything is sent.'),
      };
    case 'short':
      return {
        icon: 'warning',
        label: vscode.l10n.t('{0} · the balance is {1} short', money(row.costCents), money(row.shortCents)),
        detail: vscode.l10n.t('Add money to the account, then press Enter to check the balance again.'),
      };
    case 'asking':
      return { icon: waiting, label: vscode.l10n.t('Render · asking for the price…') };
    case 'waiting':
      return { icon: 'watch', label: waitSentence(row.seconds) };
    case 'loading':
      return { icon: waiting, label: vscode.l10n.t('Reading the model…') };
    case 'compare':
      return { ...compareWords(), detail: vscode.l10n.t('Nothing is ordered before you have seen the prices.') };
    case 'chooseModel':
      return { icon: 'library', label: vscode.l10n.t('Choose a model first') };
    case 'noPrompt':
      return { icon: 'edit', label: vscode.l10n.t('Type above what to render') };
    case 'wrong':
      return {
        icon: 'warning',
        label:
          row.issue.code === 'required'
            ? vscode.l10n.t('Fill in first: {0}', iconless(row.field.label))
            : vscode.l10n.t('Correct first: {0}', iconless(row.field.label)),
        detail: row.issue.code === 'required' ? undefined : issueSentence(row.issue),
      };
    case 'refused':
      return {
        icon: 'warning',
        label: vscode.l10n.t('Correct first: {0}', iconless(row.field.label)),
        detail: vscode.l10n.t('The service says: {0}', iconless(row.message)),
      };
    default:
      return troubleWords(row);
  }
}

function troubleWords(row: Extract<FirstRow, { says: 'noPrice' | 'noFields' | 'disconnected' }>): RowWords {
  switch (row.says) {
    case 'noPrice':
      return {
        icon: 'warning',
        label: vscode.l10n.t('No price yet. Press Enter to ask again.'),
        detail: iconless(sentenceOf(row.error)),
      };
    case 'noFields':
      return {
        icon: 'warning',
        label: vscode.l10n.t('The model cannot be read. Press Enter to try again.'),
        detail: iconless(sentenceOf(row.error)),
      };
    case 'disconnected':
      return disconnectedWords(row.status);
  }
}

function disconnectedWords(status: Extract<FirstRow, { says: 'disconnected' }>['status']): RowWords {
  switch (status) {
    case 'noKey':
      return { icon: 'key', label: vscode.l10n.t('There is no API key. Press Enter to enter one.') };
    case 'keyRefused':
      return { icon: 'key', label: vscode.l10n.t('The service refuses the API key. Press Enter to change it.') };
    default:
      return { icon: 'debug-disconnect', label: vscode.l10n.t('Not connected. Press Enter for what can be done.') };
  }
}

/** The way to what the balance covers. */
export function fitWords(): RowWords {
  return {
    icon: 'lightbulb',
    label: vscode.l10n.t('What fits…'),
    description: vscode.l10n.t('cheaper models and sizes, each with its price'),
  };
}

/** The way to the prices of other models. */
export function compareWords(): RowWords {
  return {
    icon: 'list-ordered',
    label: vscode.l10n.t('Compare prices…'),
    description: vscode.l10n.t('the same with other models'),
  };
}

/** The model in use. */
export function modelWords(model: Model | undefined): RowWords {
  const icon = 'library';
  const label = vscode.l10n.t('Model');
  return model ? { icon, label, description: iconless(`${model.title} · ${model.id}`) } : { icon, label };
}

/** Where the result goes, and under which name once that is known. */
export function targetWords(target: Target, name: string | undefined): RowWords {
  const folder = folderWords(target);
  return folder === undefined
    ? {
        icon: 'folder',
        label: vscode.l10n.t('Saves to'),
        description: vscode.l10n.t('No folder is open: the result is kept until you save it.'),
      }
    : {
        icon: 'folder',
        label: vscode.l10n.t('Saves to'),
        description: iconless([folder, name].filter(Boolean).join('/')),
      };
}

/** A field with its value, or with what the model does without one. */
export function fieldWords(field: Field, value: FieldValue): RowWords {
  return {
    icon: 'settings',
    label: iconless(field.label, 60),
    description: isLeftOut(value) ? leftOutWords(field) : iconless(valueWords(field, value), 100),
  };
}

/** What is wrong with a value. */
export function issueSentence(issue: FieldIssue): string {
  const [key, ...parts] = issueText(issue);
  return vscode.l10n.t(englishStrings[key], ...parts);
}

/** What a field left out means. */
export function leftOutWords(field: Field): string {
  if (field.default === undefined)
    return field.required ? vscode.l10n.t('required') : vscode.l10n.t('Left to the model');
  const value = typeof field.default === 'object' ? JSON.stringify(field.default) : field.default;
  return vscode.l10n.t('Default: {0}', iconless(valueWords(field, value), 100));
}

function valueWords(field: Field, value: FieldValue): string {
  if (typeof value === 'object') return value.json;
  if (typeof value === 'boolean' && field.kind === 'boolean') return yesNo(value);
  return field.choices?.find((choice) => String(choice.value) === String(value))?.label ?? String(value);
}

/** A yes or no in words. */
export function yesNo(value: boolean): string {
  return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
}

function isLeftOut(value: FieldValue): boolean {
  return value === '' || (typeof value === 'object' && value.json.trim() === '');
}

/** Whether a link to the result is inserted, and where. */
export function insertWords({ name, line }: LinkPlace, inserting: boolean): RowWords {
  const where = vscode.l10n.t('{0}, line {1}', iconless(name, 60), line);
  return {
    icon: inserting ? 'check' : 'link',
    label: vscode.l10n.t('Insert a link'),
    description: inserting ? where : vscode.l10n.t('No · Enter inserts one in {0}', where),
  };
}

function insertingWords({ costCents, afterCents }: Priced): string {
  return afterCents === undefined
    ? vscode.l10n.t('Render and insert · {0}', money(costCents))
    : vscode.l10n.t('Render and insert · {0} · balance after {1}', money(costCents), money(afterCents));
}

type Priced = Extract<FirstRow, { says: 'order' }>;

function orderWords({ costCents, afterCents }: Priced): string {
  return afterCents === undefined
    ? vscode.l10n.t('Render · {0}', money(costCents))
    : vscode.l10n.t('Render · {0} · balance after {1}', money(costCents), money(afterCents));
}

function money(cents: number): string {
  return formatCents(cents, vscode.env.language);
}
