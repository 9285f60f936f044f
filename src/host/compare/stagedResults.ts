import * as vscode from 'vscode';
import { endingFor } from '../../files/sniff';
import type { CompareMode, Decision } from '../../form/compareMessages';
import type { LibraryEntry } from '../../renders/library';
import type { RenderRecord } from '../../renders/record';
import { fileNameOf } from '../fileName';
import { plain } from '../plain';
import type { Renders } from '../renders/renders';
import { priceOf } from '../renders/renderWords';
import { told } from '../told';
import { UserError } from '../userError';
import { pictureOf, type ComparedPicture, type OpenCompare } from './comparedPicture';

const mode: CompareMode = 'slider';

/** Compares a staged result with the file it was rendered to replace; there the person decides. Rejects with UserError when it does not wait any more. */
export async function openStaged(entry: LibraryEntry, openCompare: OpenCompare): Promise<void> {
  const { record, file } = entry;
  const { replaces } = record?.target ?? {};
  if (!record || file === undefined || !replaces || record.staged !== true)
    throw new UserError(vscode.l10n.t('This was decided already.'));
  const old = vscode.Uri.parse(replaces.uri, true);
  const name = pictureOf(old).title;
  const pictures: readonly ComparedPicture[] = [
    { title: vscode.l10n.t('{0} (now)', name), uri: old },
    { ...pictureOf(vscode.Uri.parse(file, true), entry), title: vscode.l10n.t('{0} (new)', name) },
  ];
  await openCompare(pictures, mode, record.key);
}

/** Does what the person decided of a staged result, after asking where something would be lost. Rejects with UserError. */
export async function decide(key: string, decision: Decision, renders: Renders): Promise<void> {
  const entry = renders.library.ofRecord(key);
  const record = entry?.record;
  if (!entry || record?.staged !== true) return;
  await told(() => {
    if (decision === 'accept') return accept(record, renders);
    return decision === 'keepBoth' ? keepBoth(record, renders) : discard(entry, renders);
  });
}

async function accept(record: RenderRecord, { staging }: Renders): Promise<void> {
  const name = nameOf(record.target.replaces?.uri);
  const ending = /\.([^.]+)$/.exec(name)?.[1];
  const own = record.spooled?.extension ?? '';
  if (endingFor(own, ending) !== ending) {
    throw new UserError(
      vscode.l10n.t(
        'The new picture is of the format {0}, which “{1}” is not: under that name programs may not read it. Keep both instead.',
        own.toUpperCase(),
        plain(name, 60),
      ),
    );
  }
  if ((await staging.isChanged(record)) && !(await agreesToReplace(name))) return;
  const accepted = await staging.accept(record.key);
  if (!accepted) return;
  void vscode.window.showInformationMessage(
    accepted.kept === undefined
      ? vscode.l10n.t('“{0}” is the new picture.', plain(name, 60))
      : vscode.l10n.t(
          '“{0}” is the new picture. There is no trash here: the earlier one is kept beside it as “{1}”.',
          plain(name, 60),
          plain(nameOf(accepted.kept), 80),
        ),
  );
}

async function agreesToReplace(name: string): Promise<boolean> {
  const yes = vscode.l10n.t('Replace');
  const question = vscode.l10n.t(
    '“{0}” is not the file it was when you ordered the new picture: it was changed or removed since. Put the new picture in its place?',
    plain(name, 60),
  );
  const detail = vscode.l10n.t('What is there now goes to the trash, or is kept beside it where there is none.');
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
  const kept = vscode.l10n.t('The service keeps it: “Download Again” in the Generations view brings it back.');
  const paid = price === undefined ? undefined : vscode.l10n.t('It was paid: {0}.', price);
  const detail = [paid, kept].filter(Boolean).join(' ');
  const question = vscode.l10n.t('Discard the new picture?');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes)
    await staging.discard(entry.id);
}

function nameOf(uri = ''): string {
  return fileNameOf(uri);
}
