import * as vscode from 'vscode';
import { entryRows } from './model/entryRows';
import { isToDo } from '../../renderFiles/states';
import { money } from '../../editor/words';
import { entryMarkdown } from './entryMarkdown';
import { givenAt, givenMarkdown } from './givenAt';
import { rangeOf } from './rangeOf';
import type { RenderFiles } from './renderFiles';

/**
 * Shows on the file name of an entry its image, its state, what rendering would change, and the price; on the path of a
 * given image, that image.
 */
export function hovers(files: RenderFiles): vscode.HoverProvider {
  return {
    provideHover: async (document, position) => {
      const read = await files.read(document);
      const offset = document.offsetAt(position);
      const given = read && (await givenAt(offset, read, files));
      if (given) return new vscode.Hover(await givenMarkdown(given.images), rangeOf(document, given.place));
      const entry = read?.file.entries.find(({ file }) => file && file.start <= offset && offset <= file.end);
      if (!read || !entry?.file) return undefined;
      const [row] = entryRows({ entries: [entry] }, read.states);
      if (!row || row.states.length === 0) return undefined;
      const due = row.states.filter((one) => isToDo(one) && !one.fitsAgain);
      const cents = due.length === 0 ? undefined : await files.hints.total(due.map(({ render }) => render));
      const price = cents === undefined ? undefined : money(cents);
      return new vscode.Hover(await entryMarkdown(read.folder, row.states, price), rangeOf(document, entry.file));
    },
  };
}
