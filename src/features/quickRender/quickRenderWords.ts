import * as vscode from 'vscode';
import { formatCents } from '../../base/format';
import { asWritten, decimalOf } from '../../base/numbers';
import { escapeForIcons } from '../../base/plain';
import { type Field, type FieldValue, imageItems, isAmongChosen, type Model } from '../../catalog/fields';
import type { AppliedStyle } from '../../compose/projectStyles';
import { notTakenWords } from '../../compose/askStyle';
import type { LinkPlace } from '../../documents/link';
import { issueSentence, sentenceOf } from '../../editor/words';
import type { Target } from '../../renders/record';
import { waitSentence } from '../account/accountView';
import { fileNameOf } from '../../files/names';
import { folderWords } from '../rendering/targets';
import type { FirstRow } from './model/firstRow';

/** The texts of a row. */
export interface RowWords {
  readonly icon: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** The purpose of a box: rendering, changing an image, or sending a text to a model. */
export type Purpose = 'render' | 'edit' | 'send';

/** The icon while waiting. */
export const waiting = 'loading~spin';

/** What to type into the box. */
export function placeholder(purpose: Purpose, model: Model | undefined): string {
  if (purpose === 'send')
    return vscode.l10n.t('Tell the model what to do with the selection, for example: make it shorter');
  if (purpose === 'edit') return vscode.l10n.t('What should change, for example: make it brighter');
  return model ? vscode.l10n.t('Prompt for {0}', escapeForIcons(model.title, 60)) : vscode.l10n.t('Prompt');
}

/** The first row: what Enter would order, or why it orders nothing and what to do. `nothingTyped`: the box is empty. */
export function firstRowWords(row: FirstRow, doing: Purpose | 'insert', nothingTyped: boolean): RowWords {
  switch (row.says) {
    case 'order':
      return {
        icon: 'zap',
        label: orderWords(row, doing),
      };
    case 'notStated':
      return {
        icon: 'zap',
        label: doing === 'send' ? vscode.l10n.t('Send · price unknown') : vscode.l10n.t('Render · price unknown'),
        detail: vscode.l10n.t(
          'The service doesn’t quote a price for these inputs. You’ll be asked to confirm before anything is sent.',
        ),
      };
    case 'short':
      return {
        icon: 'warning',
        label: vscode.l10n.t('{0} · your balance is {1} short', money(row.costCents), money(row.shortCents)),
        detail: vscode.l10n.t('Add funds to your account, then press Enter to check the balance again.'),
      };
    case 'asking':
      return {
        icon: waiting,
        label: doing === 'send' ? vscode.l10n.t('Send · getting price…') : vscode.l10n.t('Render · getting price…'),
      };
    case 'oneAtATime':
      return {
        icon: 'warning',
        label: vscode.l10n.t('Can’t price several images together'),
        detail: vscode.l10n.t('The service doesn’t quote a total for these inputs. Render one image at a time.'),
      };
    case 'waiting':
      return { icon: 'watch', label: waitSentence(row.seconds) };
    case 'loading':
      return { icon: waiting, label: vscode.l10n.t('Loading model…') };
    case 'compare':
      return { ...compareWords(), detail: vscode.l10n.t('Nothing is rendered until you’ve seen the prices.') };
    case 'chooseModel':
      return { icon: 'library', label: vscode.l10n.t('Choose a model') };
    case 'noPrompt':
      return { icon: 'edit', label: typeWords(doing, nothingTyped) };
    case 'chooseField':
      return { icon: 'file-media', label: vscode.l10n.t('Choose where the image goes') };
    case 'takesNoImage':
    case 'takesNoText':
    case 'tooLong':
      return unfitWords(row);
    case 'wrong':
      return {
        icon: 'warning',
        label:
          row.issue.code === 'required'
            ? vscode.l10n.t('Required: {0}', escapeForIcons(row.field.label))
            : vscode.l10n.t('Fix first: {0}', escapeForIcons(row.field.label)),
        detail: row.issue.code === 'required' ? undefined : issueSentence(row.issue),
      };
    case 'refused':
      return {
        icon: 'warning',
        label: vscode.l10n.t('Fix first: {0}', escapeForIcons(row.field.label)),
        detail: vscode.l10n.t('The service says: {0}', escapeForIcons(row.message)),
      };
    default:
      return troubleWords(row);
  }
}

function typeWords(doing: Purpose | 'insert', nothingTyped: boolean): string {
  if (doing === 'send') return vscode.l10n.t('Type an instruction');
  if (!nothingTyped) return vscode.l10n.t('Type a character to confirm the pasted text');
  return doing === 'edit' ? vscode.l10n.t('Type what should change') : vscode.l10n.t('Type a prompt');
}

function unfitWords(row: Extract<FirstRow, { says: 'takesNoImage' | 'takesNoText' | 'tooLong' }>): RowWords {
  if (row.says === 'takesNoImage')
    return {
      icon: 'warning',
      label: vscode.l10n.t('This model doesn’t accept images. Press Enter to choose another.'),
    };
  if (row.says === 'takesNoText')
    return { icon: 'warning', label: vscode.l10n.t('This model doesn’t accept text. Press Enter to choose another.') };
  return {
    icon: 'warning',
    label: vscode.l10n.t(
      'Too long for this model: {0} characters, limit {1}',
      row.length.toLocaleString(vscode.env.language),
      row.maxLength.toLocaleString(vscode.env.language),
    ),
    detail: vscode.l10n.t('Press Enter to choose another model, or select less text.'),
  };
}

function troubleWords(row: Extract<FirstRow, { says: 'noPrice' | 'noFields' | 'disconnected' }>): RowWords {
  switch (row.says) {
    case 'noPrice':
      return {
        icon: 'warning',
        label: vscode.l10n.t('No price. Press Enter to try again.'),
        detail: escapeForIcons(sentenceOf(row.error)),
      };
    case 'noFields':
      return {
        icon: 'warning',
        label: vscode.l10n.t('Couldn’t load the model. Press Enter to try again.'),
        detail: escapeForIcons(sentenceOf(row.error)),
      };
    case 'disconnected':
      return disconnectedWords(row.status);
  }
}

function disconnectedWords(status: Extract<FirstRow, { says: 'disconnected' }>['status']): RowWords {
  switch (status) {
    case 'noKey':
      return { icon: 'key', label: vscode.l10n.t('No API key. Press Enter to set one.') };
    case 'keyRefused':
      return { icon: 'key', label: vscode.l10n.t('The service rejected the API key. Press Enter to set a new one.') };
    default:
      return { icon: 'debug-disconnect', label: vscode.l10n.t('Not connected. Press Enter to see your options.') };
  }
}

/** The row that leads to what the balance covers. */
export function affordableRowWords(): RowWords {
  return {
    icon: 'lightbulb',
    label: vscode.l10n.t('Find cheaper options…'),
    description: vscode.l10n.t('smaller sizes and other models'),
  };
}

/** The row that leads to the prices of other models. */
export function compareWords(): RowWords {
  return {
    icon: 'list-ordered',
    label: vscode.l10n.t('Compare prices…'),
    description: vscode.l10n.t('same prompt, other models'),
  };
}

/** The model in use. */
export function modelWords(model: Model | undefined): RowWords {
  const icon = 'library';
  const label = vscode.l10n.t('Model');
  return model ? { icon, label, description: escapeForIcons(model.title, 60) } : { icon, label };
}

/** Where the result goes, and its name if known. */
export function targetWords(target: Target, name: string | undefined): RowWords {
  const folder = folderWords(target);
  if (target.replaces)
    return {
      icon: 'git-compare',
      label: vscode.l10n.t('Compared with “{0}”', escapeForIcons(fileNameOf(target.replaces.uri), 60)),
      description: vscode.l10n.t('It stays unchanged until you accept the new image.'),
    };
  return folder === undefined
    ? {
        icon: 'folder',
        label: vscode.l10n.t('Saves to'),
        description: vscode.l10n.t('No folder is open. The result is kept until you save it.'),
      }
    : {
        icon: 'folder',
        label: vscode.l10n.t('Saves to'),
        description: escapeForIcons([folder, name].filter(Boolean).join('/')),
      };
}

/** A field with its value, or its default. */
export function fieldWords(field: Field, value: FieldValue): RowWords {
  return {
    icon: 'settings',
    label: escapeForIcons(field.label, 60),
    description: isLeftOut(value) ? leftOutWords(field) : escapeForIcons(valueWords(field, value), 100),
  };
}

/** The effect of leaving a field out. */
export function leftOutWords(field: Field): string {
  if (field.kind === 'seed') return vscode.l10n.t('Random each time');
  if (field.default === undefined)
    return field.required ? vscode.l10n.t('required') : vscode.l10n.t('Let the model choose');
  const value = typeof field.default === 'object' ? { json: JSON.stringify(field.default) } : field.default;
  return vscode.l10n.t('Default: {0}', escapeForIcons(valueWords(field, value), 100));
}

function valueWords(field: Field, value: FieldValue): string {
  if (field.kind === 'image')
    return imageItems(value)
      .map((item) => (typeof item === 'string' ? item : item.file))
      .join(', ');
  if (field.kind === 'choices')
    return (field.choices ?? [])
      .filter((choice) => isAmongChosen(value, choice))
      .map(({ label }) => label)
      .join(', ');
  if (typeof value === 'object') return 'json' in value ? value.json : '';
  if (typeof value === 'boolean' && field.kind === 'boolean') return yesNo(value);
  if (field.kind === 'number') return inLanguage(value);
  return field.choices?.find((choice) => String(choice.value) === String(value))?.label ?? String(value);
}

/** A number with the decimal separator of the editor's language. */
export function inLanguage(number: Exclude<FieldValue, object>): string {
  return asWritten(String(number), decimalOf(vscode.env.language));
}

/** A Boolean in words. */
export function yesNo(value: boolean): string {
  return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
}

function isLeftOut(value: FieldValue): boolean {
  return value === '' || (typeof value === 'object' && 'json' in value && value.json.trim() === '');
}

/** How many images are made. */
export function imageCountWords(count: number): RowWords {
  return { icon: 'copy', label: vscode.l10n.t('Number of images'), description: String(count) };
}

/** Whether a link to the result is inserted, and where. */
export function insertWords({ name, line }: LinkPlace, inserting: boolean): RowWords {
  const where = vscode.l10n.t('{0}, line {1}', escapeForIcons(name, 60), line);
  return {
    icon: inserting ? 'check' : 'link',
    label: vscode.l10n.t('Insert a link'),
    description: inserting ? where : vscode.l10n.t('Off · press Enter to insert one in {0}', where),
  };
}

function orderWords(row: Priced, doing: Purpose | 'insert'): string {
  const price = money(row.costCents);
  if (row.count !== undefined) return severalWords(row.count, price, row.afterCents);
  if (row.afterCents === undefined) return priceWords(price, doing);
  const after = money(row.afterCents);
  switch (doing) {
    case 'render':
    case 'edit':
      return vscode.l10n.t('Render · {0} · balance after {1}', price, after);
    case 'insert':
      return vscode.l10n.t('Render and insert · {0} · balance after {1}', price, after);
    case 'send':
      return vscode.l10n.t('Send · {0} · balance after {1}', price, after);
  }
}

function severalWords(count: number, price: string, afterCents: number | undefined): string {
  return afterCents === undefined
    ? vscode.l10n.t('Render {0} · {1}', count, price)
    : vscode.l10n.t('Render {0} · {1} · balance after {2}', count, price, money(afterCents));
}

function priceWords(price: string, doing: Purpose | 'insert'): string {
  switch (doing) {
    case 'render':
    case 'edit':
      return vscode.l10n.t('Render · {0}', price);
    case 'insert':
      return vscode.l10n.t('Render and insert · {0}', price);
    case 'send':
      return vscode.l10n.t('Send · {0}', price);
  }
}

type Priced = Extract<FirstRow, { says: 'order' }>;

function money(cents: number): string {
  return formatCents(cents, vscode.env.language);
}

/** The style in use, and what the model doesn’t take of it. */
export function styleWords(style: AppliedStyle | undefined): RowWords {
  const name = style ? style.label : vscode.l10n.t('None');
  return {
    icon: 'paintcan',
    label: vscode.l10n.t('Project style'),
    description: escapeForIcons([name, notTakenWords(style)].filter(Boolean).join(' · ')),
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
  return vscode.l10n.t('Prompt with style: {0}', escapeForIcons(prompt, 400));
}
