import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Span } from '../../documents/span';
import { isRenderFile, longestRenderFile } from '../../renderFiles/renderFile';
import { styleNames, type StyleName } from '../../renderFiles/styleNames';
import { givenAt } from './givenAt';
import { rangeOf } from './rangeOf';
import type { RenderFiles } from './renderFiles';

/** From a style’s name to where it’s defined, and from an entry’s file name and the paths of given images to those. */
export function definitions(files: RenderFiles): vscode.DefinitionProvider {
  return {
    provideDefinition: async (document, position) => {
      const offset = document.offsetAt(position);
      const { named, all } = await stylesAt(document, offset);
      if (named) return all.filter((one) => one.isDefinition).map((one) => locationOf(document, one));
      const read = await files.read(document);
      const given = read && (await givenAt(offset, read, files));
      if (given) return given.images.map(({ uri }) => new vscode.Location(uri, new vscode.Position(0, 0)));
      const entry = read?.file.entries.find(({ file }) => file && isIn(file, offset));
      if (!read || !entry) return undefined;
      return read.states.flatMap(({ render, state }) =>
        render.entry === entry.index && 'file' in state
          ? [new vscode.Location(vscode.Uri.joinPath(read.folder, state.file), new vscode.Position(0, 0))]
          : [],
      );
    },
  };
}

/** Renames a style where it’s defined, used, and extended. */
export const styleRenames: vscode.RenameProvider = {
  prepareRename: async (document, position) => {
    const { named } = await stylesAt(document, document.offsetAt(position));
    if (!named) throw new Error(vscode.l10n.t('Only the names of styles can be changed here.'));
    return { range: rangeOf(document, named), placeholder: named.text };
  },
  provideRenameEdits: async (document, position, name) => {
    const edit = new vscode.WorkspaceEdit();
    const { all } = await stylesAt(document, document.offsetAt(position));
    for (const one of all) edit.replace(document.uri, rangeOf(document, one), JSON.stringify(name).slice(1, -1));
    return edit;
  },
};

interface StylesAt {
  readonly named?: StyleName;
  /** All places with the same name. */
  readonly all: readonly StyleName[];
}

async function stylesAt(document: vscode.TextDocument, offset: number): Promise<StylesAt> {
  const text = document.getText();
  if (!isRenderFile(document.uri.path) || text.length > longestRenderFile) return { all: [] };
  const names = await styleNames(text, systemClock);
  const named = names.find((one) => isIn(one, offset));
  return { named, all: named ? names.filter((one) => one.text === named.text) : [] };
}

function isIn({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

function locationOf(document: vscode.TextDocument, span: Span): vscode.Location {
  return new vscode.Location(document.uri, rangeOf(document, span));
}
