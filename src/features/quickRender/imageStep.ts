import * as vscode from 'vscode';
import { escapeForIcons, oneLine } from '../../base/plain';
import { formatSize } from '../../base/numbers';
import {
  checkField,
  type Field,
  type FieldValue,
  type ImageItem,
  imageItems,
  mostImages,
  valueOfImages,
} from '../../catalog/fields';
import { inputStep, keepOrder, offerBack, untilLeft } from '../../editor/boxes';
import { issueSentence } from '../../editor/words';
import type { FormImages } from '../form/model/formImages';

/** What is done next. */
type Next = { readonly to: 'files' | 'urls' | 'done' } | { readonly to: 'remove'; readonly index: number };

interface ImageRow extends vscode.QuickPickItem {
  readonly next?: Next;
  /** Of an image. */
  readonly index?: number;
}

/**
 * The images of a field: those it has, and others from files or by their URLs. What was given stays when the user goes
 * back; undefined if nothing was. `problem` says what is wrong with the current ones.
 */
export async function askImages(
  field: Field,
  value: FieldValue,
  images: FormImages,
  problem: string | undefined,
): Promise<FieldValue | undefined> {
  let items = imageItems(value);
  let said = problem;
  let isChanged = false;
  for (;;) {
    const next = await showImages(field, items, said);
    said = undefined;
    if (next === undefined || next.to === 'done') return isChanged ? valueOfImages(items) : undefined;
    const before = items;
    if (next.to === 'remove') items = items.toSpliced(next.index, 1);
    if (next.to === 'urls') items = (await askUrls(field, items)) ?? items;
    if (next.to === 'files') {
      const taken = await images.picked(field, mostImages(field));
      const given = taken.flatMap((one) => ('image' in one ? one.image : []));
      said = taken.flatMap((one) => ('problem' in one ? one.problem : []))[0];
      if (given.length > 0) items = field.image?.isList ? [...items, ...given] : given;
    }
    isChanged ||= items !== before;
    if (!field.image?.isList && items !== before && items.length > 0) return valueOfImages(items);
  }
}

function showImages(field: Field, items: readonly ImageItem[], problem: string | undefined): Promise<Next | undefined> {
  return untilLeft<Next>((leave, own) => {
    const picker = own.add(vscode.window.createQuickPick<ImageRow>());
    const remove = { iconPath: new vscode.ThemeIcon('close'), tooltip: vscode.l10n.t('Remove') };
    keepOrder(picker);
    picker.title = oneLine(field.label, 80);
    picker.placeholder = problem ?? placeholderOf(field, items);
    picker.ignoreFocusOut = true;
    picker.items = [
      ...(items.length > 0 ? [row('check', doneWords(items.length), { to: 'done' })] : []),
      row('folder-opened', field.image?.isList ? vscode.l10n.t('Add Files…') : vscode.l10n.t('Choose a File…'), {
        to: 'files',
      }),
      row('link', vscode.l10n.t('Enter URLs…'), { to: 'urls' }),
      ...items.map((item, index) => ({ ...imageRow(item, index), buttons: [remove], alwaysShow: true })),
    ];
    own.add(offerBack(picker, () => leave({ to: 'done' })));
    own.add(
      picker.onDidAccept(() => {
        const [chosen] = picker.selectedItems;
        if (chosen?.next) leave(chosen.next);
      }),
    );
    own.add(
      picker.onDidTriggerItemButton(
        ({ item }) => item.index !== undefined && leave({ to: 'remove', index: item.index }),
      ),
    );
    return picker;
  });
}

function row(icon: string, label: string, next: Next): ImageRow {
  return { label, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, next };
}

/** Enter on an image does nothing: its button removes it. */
function imageRow(item: ImageItem, index: number): ImageRow {
  const label = `${index + 1}  ${escapeForIcons(typeof item === 'string' ? item : item.file, 200)}`;
  const isUrl = typeof item === 'string';
  const description = isUrl ? undefined : formatSize(item.bytes, vscode.env.language);
  return { label, description, index, iconPath: new vscode.ThemeIcon(isUrl ? 'link' : 'file-media') };
}

function doneWords(count: number): string {
  return count === 1 ? vscode.l10n.t('Use This Image') : vscode.l10n.t('Use These {0} Images', count);
}

/** What is wrong with them, else how many there may be. */
function placeholderOf(field: Field, items: readonly ImageItem[]): string | undefined {
  const issue = items.length === 0 ? undefined : checkField(field, valueOfImages(items));
  if (issue) return issueSentence(issue);
  const most = mostImages(field);
  if (most > 1 && most < Infinity) return vscode.l10n.t('{0} of {1} images', items.length, most);
  return field.help === undefined ? undefined : oneLine(field.help);
}

/** With the URLs as they were entered, after the given images; undefined when the user goes back. */
async function askUrls(field: Field, items: readonly ImageItem[]): Promise<readonly ImageItem[] | undefined> {
  const { isList = false } = field.image ?? {};
  const given = isList ? items.filter((item) => typeof item === 'object') : [];
  const answer = await inputStep({
    title: oneLine(field.label, 80),
    back: true,
    prompt: isList
      ? vscode.l10n.t('Enter URLs of images, with a space between them.')
      : vscode.l10n.t('Enter the URL of an image.'),
    value: items.filter((item) => typeof item === 'string').join(' '),
    check: (text) => {
      const issue = checkField(field, valueOfImages([...given, ...imageItems(text)]));
      return issue && issueSentence(issue);
    },
  });
  return typeof answer === 'object' ? [...given, ...imageItems(answer.text)] : undefined;
}
