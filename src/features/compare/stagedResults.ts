import * as vscode from 'vscode';
import { endingFor } from '../../files/sniff';
import type { CompareDecision, CompareMode } from './page/compareMessages';
import { mostCompared } from '../../compose/varying';
import type { LibraryEntry } from '../../renders/library';
import type { RenderRecord } from '../../renders/record';
import type { Look, Staging } from '../../renders/staging';
import { fileNameOf } from '../../files/names';
import { plain } from '../../base/plain';
import { showProblem } from '../../editor/commands';
import type { Renders } from '../rendering/renders';
import { priceOf } from '../rendering/renderWords';
import { checkSaved } from '../../editor/workspaceFiles';
import { sentenceOf, told } from '../../editor/words';
import { UserError } from '../../editor/userError';
import { pictureOf, type ComparedPicture, type OpenCompare } from './comparedPicture';

const mode: CompareMode = 'slider';

/**
 * Compares a staged result with the file it is to replace, for the user to decide. Rejects with UserError when it no
 * longer waits.
 */
export async function openStaged(entry: LibraryEntry | undefined, openCompare: OpenCompare): Promise<void> {
  const pictures = entry ? picturesOf(entry) : [];
  if (!entry || pictures.length === 0) throw new UserError(vscode.l10n.t('You’ve already decided on this image.'));
  await openCompare(pictures, mode, { staged: entry.record?.key });
}

/**
 * The same for several, in pairs on one page, which accepts all it shows; more than fit there are left for later.
 * Rejects with UserError when none waits any longer.
 */
export async function openAllStaged(entries: readonly LibraryEntry[], openCompare: OpenCompare): Promise<void> {
  const waiting = entries.filter((entry) => picturesOf(entry).length > 0).slice(0, mostCompared / 2);
  const [first, ...others] = waiting;
  if (!first || others.length === 0) return openStaged(first ?? entries[0], openCompare);
  const keys = waiting.flatMap(({ record }) => record?.key ?? []);
  await openCompare(waiting.flatMap(picturesOf), 'sideBySide', { stagedPairs: keys });
}

/** The current image and the staged one; none when it no longer waits. */
function picturesOf(entry: LibraryEntry): readonly ComparedPicture[] {
  const { record, file } = entry;
  const old = replacedBy(entry);
  if (file === undefined || !old || record?.staged !== true) return [];
  const name = pictureOf(old).title;
  return [
    { title: vscode.l10n.t('{0} (now)', name), uri: old },
    { ...pictureOf(vscode.Uri.parse(file, true), entry), title: vscode.l10n.t('{0} (new)', name) },
  ];
}

/** The file that a result is to replace, at its current location. */
export function replacedBy({ record }: LibraryEntry): vscode.Uri | undefined {
  const { replaces } = record?.target ?? {};
  return replaces && vscode.Uri.parse(replaces.uri, true);
}

/**
 * Carries out the decision on one staged result, after a confirmation where something would be lost. Rejects with
 * UserError.
 */
export async function decide(
  key: string,
  decision: Exclude<CompareDecision, 'acceptAll' | 'keepSelected'>,
  renders: Renders,
): Promise<void> {
  const entry = renders.library.ofRecord(key);
  const record = entry?.record;
  if (!entry || record?.staged !== true) return;
  await told(() => {
    if (decision === 'accept') return accept(record, renders);
    return decision === 'keepBoth' ? keepBoth(record, renders) : discard(entry, renders);
  });
}

/** Accepts staged results as `acceptUnchanged`, and reports them together. Never rejects. */
export async function acceptAll(keys: readonly string[], renders: Renders): Promise<void> {
  const count = await acceptUnchanged(keys, renders);
  if (count === 0) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      '{0} of {1} new images accepted. The previous ones are in the trash, or next to the new ones if there’s no trash.',
      count,
      keys.length,
    ),
  );
}

/**
 * Accepts staged results one after the other; resolves with their number. Those whose current image was changed since,
 * or is read-only, stay for a decision of their own, which the user learns. Never rejects.
 */
export async function acceptUnchanged(keys: readonly string[], renders: Renders): Promise<number> {
  let count = 0;
  const left: string[] = [];
  for (const key of keys) {
    const record = renders.library.ofRecord(key)?.record;
    if (record?.staged !== true) continue;
    try {
      if (await told(() => replace(record, renders, () => Promise.resolve(false)))) count += 1;
      else left.push(plain(nameOf(record.target.replaces?.uri), 60));
    } catch (error) {
      // The others can be accepted all the same.
      void showProblem(sentenceOf(error));
    }
  }
  if (left.length > 0)
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Not accepted, since the current image was changed or is read-only: {0}', left.join(', ')),
    );
  return count;
}

async function accept(record: RenderRecord, renders: Renders): Promise<void> {
  const name = nameOf(record.target.replaces?.uri);
  const accepted = await replace(record, renders);
  if (!accepted) return;
  void vscode.window.showInformationMessage(
    accepted.kept === undefined
      ? vscode.l10n.t('“{0}” now contains the new image.', plain(name, 60))
      : vscode.l10n.t(
          '“{0}” now contains the new image. There’s no trash here, so the previous image is kept as “{1}”.',
          plain(name, 60),
          plain(nameOf(accepted.kept), 80),
        ),
  );
}

/** Puts the new image in place, after a question if the current one changed. Undefined if the answer is no. */
async function replace(
  record: RenderRecord,
  { staging }: Renders,
  agrees = agreesToReplace,
): ReturnType<Staging['accept']> {
  const name = nameOf(record.target.replaces?.uri);
  const ending = /\.([^.]+)$/.exec(name)?.[1];
  const own = record.spooled?.extension ?? '';
  if (endingFor(own, ending) !== ending) {
    throw new UserError(
      vscode.l10n.t(
        'The new image is in {0} format, which doesn’t match the name “{1}”, so some programs may not open it. Keep both instead.',
        own.toUpperCase(),
        plain(name, 60),
      ),
    );
  }
  checkSaved(record.target.replaces?.uri ?? '');
  const look = await staging.look(record);
  if ((look.isChanged || look.isReadOnly) && !(await agrees(name, look))) return undefined;
  // The question may have been open for long.
  checkSaved(record.target.replaces?.uri ?? '');
  return staging.accept(record.key, look);
}

async function agreesToReplace(name: string, { isChanged, isReadOnly }: Look): Promise<boolean> {
  const yes = vscode.l10n.t('Replace');
  const changed =
    isChanged &&
    vscode.l10n.t('“{0}” was changed or removed after you started this render. Replace it anyway?', plain(name, 60));
  const readOnly = isReadOnly && vscode.l10n.t('“{0}” is read-only. Replace it with the new image?', plain(name, 60));
  const question = [changed, readOnly].filter((sentence) => sentence !== false).join(' ');
  const detail = vscode.l10n.t(
    'The current file is moved to the trash. If there’s no trash, it’s kept next to the new one.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

async function keepBoth({ key }: RenderRecord, { staging }: Renders): Promise<void> {
  const saved = await staging.keepBoth(key);
  if (saved?.file === undefined) return;
  const open = vscode.l10n.t('Open');
  const file = vscode.Uri.parse(saved.file, true);
  const sentence = vscode.l10n.t('Saved {0}.', plain(vscode.workspace.asRelativePath(file)));
  void vscode.window
    .showInformationMessage(sentence, open)
    .then((answer) => answer === open && vscode.commands.executeCommand('vscode.open', file));
}

async function discard(entry: LibraryEntry, { staging }: Renders): Promise<void> {
  const yes = vscode.l10n.t('Discard');
  const price = priceOf(entry);
  const kept = vscode.l10n.t(
    'It isn’t deleted from the service. To get it again while the service has it, use “Download Again” in the Generations view.',
  );
  const paid = price === undefined ? undefined : vscode.l10n.t('Cost: {0}.', price);
  const detail = [paid, kept].filter(Boolean).join(' ');
  const question = vscode.l10n.t('Discard the new image?');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes)
    await staging.discard(entry.id);
}

function nameOf(uri = ''): string {
  return fileNameOf(uri);
}
