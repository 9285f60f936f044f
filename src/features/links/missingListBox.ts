import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Disposables, type Disposable } from '../../base/disposable';
import { escapeForIcons } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import { separator, untilLeft, whileBusy } from '../../editor/boxes';
import { fitWords, money, sentenceOf } from '../../editor/words';
import type { MissingList, MissingRow } from './model/missingList';
import { StableRows } from '../../editor/stableRows';
import type { Settings } from '../../editor/settings';
import { notTakenWords } from '../../compose/notTakenWords';
import { linkFit } from './linkFit';

/** The next step after the list. */
export type ListStep =
  | { readonly to: 'order' | 'model' | 'style' | 'everywhere' }
  /** `file`: URI of the image. */
  | { readonly to: 'prompt' | 'place'; readonly file: string };

interface ListRow extends vscode.QuickPickItem {
  readonly file?: string;
}

interface Button extends vscode.QuickInputButton {
  readonly does: 'model' | 'style' | 'everywhere' | 'prompt' | 'link';
}

/** How long changes are collected before the rows are redrawn, ms: a click is lost if its row is replaced during it. */
const gatherMs = 100;

/** Shows the list until a step is chosen; undefined when the person dismisses it. `note` says what it leaves out. */
export function showMissingList(
  list: MissingList,
  note: string | undefined,
  everywhere: boolean,
  settings: Pick<Settings, 'fitToLinks'>,
): Promise<ListStep | undefined> {
  return untilLeft((leave, own) => own.add(new ListBox(list, note, everywhere, settings, leave)).picker);
}

/** A quick pick whose selection is what gets rendered; its title has the total. */
class ListBox implements Disposable {
  private readonly own = new Disposables();
  readonly picker = this.own.add(vscode.window.createQuickPick<ListRow>());
  private readonly rows = new StableRows(this.picker, ({ file }) => file);
  private drawing: Disposable | undefined;

  constructor(
    private readonly list: MissingList,
    private readonly note: string | undefined,
    private readonly everywhere: boolean,
    private readonly settings: Pick<Settings, 'fitToLinks'>,
    private readonly leave: (step: ListStep) => void,
  ) {
    const { picker, own } = this;
    picker.canSelectMany = true;
    picker.matchOnDetail = true;
    picker.keepScrollPosition = true;
    picker.ignoreFocusOut = true;
    this.draw();
    own.add(list.onDidChange(() => this.drawSoon()));
    own.add({ dispose: () => this.drawing?.dispose() });
    own.add(picker.onDidChangeSelection((rows) => this.tick(rows)));
    own.add(picker.onDidTriggerButton((pressed) => this.press(pressed as Button)));
    own.add(picker.onDidTriggerItemButton(({ button: pressed, item }) => this.press(pressed as Button, item.file)));
    own.add(picker.onDidAccept(() => void this.accept()));
  }

  dispose(): void {
    this.own.dispose();
  }

  private tick(rows: readonly ListRow[]): void {
    const files = new Set(rows.flatMap(({ file }) => file ?? []));
    const [open] = this.list.rows.filter(
      ({ image, wants }) => (wants === 'prompt' || wants === 'place') && files.has(image.file),
    );
    const before = this.list.rows.filter(({ ticked }) => ticked).length;
    this.list.tick(files);
    // An image without a prompt or a place can't be rendered: selecting only that asks for one.
    if (open && files.size === before + 1)
      this.leave({ to: open.wants === 'place' ? 'place' : 'prompt', file: open.image.file });
    else if (this.list.rows.some(({ image, ticked }) => files.has(image.file) && !ticked)) this.redraw();
  }

  private press({ does }: Button, file?: string): void {
    if (does === 'model' || does === 'style' || does === 'everywhere') return this.leave({ to: does });
    if (file === undefined) return;
    if (does === 'prompt') return this.leave({ to: 'prompt', file });
    const row = this.list.rows.find(({ image }) => image.file === file);
    if (row) void showLink(row);
  }

  /** Requests outdated prices again, so that the total is current when it's confirmed. */
  private async accept(): Promise<void> {
    const { picker, list } = this;
    if (!list.model) return this.leave({ to: 'model' });
    await whileBusy(picker, async () => {
      await list.settle();
      const ticked = list.rows.filter((row) => row.ticked).length;
      if (ticked > 0 && list.agreed.length === ticked) this.leave({ to: 'order' });
    });
    this.redraw();
  }

  private drawSoon(): void {
    this.drawing ??= systemClock.after(gatherMs, () => {
      this.drawing = undefined;
      this.draw();
    });
  }

  /** Restores the list's selection, whatever the editor shows. */
  private redraw(): void {
    this.draw();
    this.showTicks();
  }

  private draw(): void {
    const { picker, list } = this;
    picker.title = titleOf(list);
    picker.placeholder =
      notTakenWords(list.style) ??
      vscode.l10n.t('Select images to render. You’ll confirm the total before anything is sent.');
    this.showButtons();
    picker.busy = list.isAsking || !picker.enabled;
    const rows = list.rows.map((row) => rowOf(row, list, this.settings));
    const doubtful = list.rows.findIndex(({ image }) => image.doubt);
    if (doubtful >= 0) rows.splice(doubtful, 0, separator(vscode.l10n.t('may not be missing')));
    if (this.rows.show(this.note === undefined ? rows : [separator(this.note), ...rows])) this.showTicks();
  }

  /** Only when they change: the editor draws them again. */
  private showButtons(): void {
    const { picker, list, everywhere } = this;
    const does = [
      'model' as const,
      ...(list.styles.length > 0 ? ['style' as const] : []),
      ...(everywhere ? ['everywhere' as const] : []),
    ];
    if (picker.buttons.length !== does.length) picker.buttons = does.map(button);
  }

  private showTicks(): void {
    this.picker.selectedItems = this.picker.items.filter(({ picked }) => picked);
  }
}

function titleOf(list: MissingList): string {
  const { model, rows, agreed, isAsking } = list;
  if (!model) return vscode.l10n.t('Render Missing Images');
  const sum = money(agreed.reduce((cents, row) => cents + row.cents, 0));
  return vscode.l10n.t(
    'Render Missing Images with {0} · {1} of {2} · {3}',
    escapeForIcons([model.title, list.style?.label].filter(Boolean).join(' · '), 100),
    rows.filter(({ ticked }) => ticked).length,
    rows.length,
    isAsking ? `${sum} + …` : sum,
  );
}

function rowOf(row: MissingRow, list: MissingList, settings: Pick<Settings, 'fitToLinks'>): ListRow {
  const { image, ticked, shape } = row;
  const file = vscode.Uri.parse(image.file, true);
  const fit = image.size && fitWords(linkFit(file, image.size, settings));
  return {
    label: escapeForIcons(vscode.workspace.asRelativePath(file)),
    description: escapeForIcons([doubtWords(image), priceWords(row), shape, fit].filter(Boolean).join(' · ')),
    detail: escapeForIcons(wordsOf(row, list), 300),
    picked: ticked,
    buttons: image.problem === undefined ? [button('prompt'), button('link')] : [button('link')],
    file: image.file,
  };
}

function doubtWords({ doubt }: MissingRow['image']): string {
  switch (doubt?.why) {
    case 'elsewhere':
      return vscode.l10n.t('exists as {0}', doubt.path);
    case 'ignored':
      return vscode.l10n.t('listed in .gitignore');
    case 'place':
      return vscode.l10n.t('folder unknown');
    default:
      return '';
  }
}

function priceWords({ price, ticked }: MissingRow): string {
  switch (price.says) {
    case 'stated':
      return money(price.cents);
    case 'asking':
      return '…';
    case 'none':
      return vscode.l10n.t('price unknown');
    case 'failed':
      return vscode.l10n.t('no price');
    case 'notAsked':
      return ticked ? '…' : '';
  }
}

/** The prompt as it's sent; if that isn't enough to render from, the reason. */
function wordsOf({ image, prompt, wants, price, inputs }: MissingRow, { model, style }: MissingList): string {
  if (image.problem !== undefined) return image.problem;
  if (wants === 'place')
    return vscode.l10n.t('We can’t tell where the site looks for it. Select it to choose a folder.');
  if (wants === 'prompt') return vscode.l10n.t('The link doesn’t describe the image. Enter a prompt.');
  if (wants === 'model') return vscode.l10n.t('This model needs more than a prompt. Choose another.');
  return price.says === 'failed' ? sentenceOf(price.error) : style ? promptOf(model, inputs) : prompt;
}

function button(does: Button['does']): Button {
  const icons = { model: 'library', style: 'paintcan', everywhere: 'root-folder', prompt: 'edit', link: 'go-to-file' };
  const tooltips = {
    model: vscode.l10n.t('Choose a Model'),
    style: vscode.l10n.t('Choose a Project Style'),
    everywhere: vscode.l10n.t('Search Entire Workspace'),
    prompt: vscode.l10n.t('Edit Prompt'),
    link: vscode.l10n.t('Go to Link'),
  };
  return { does, iconPath: new vscode.ThemeIcon(icons[does]), tooltip: tooltips[does] };
}

/** Shows the link behind the list, which stays open. */
async function showLink({ image }: MissingRow): Promise<void> {
  const uri = vscode.Uri.parse(image.documents[0], true);
  if (image.cell !== undefined) return showCell(uri, image.cell);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.positionAt(image.offset);
  await vscode.window.showTextDocument(document, {
    preview: true,
    preserveFocus: true,
    selection: new vscode.Range(at, at),
  });
}

async function showCell(uri: vscode.Uri, index: number): Promise<void> {
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  const selections = [new vscode.NotebookRange(index, index + 1)];
  await vscode.window.showNotebookDocument(notebook, { preview: true, preserveFocus: true, selections });
}
