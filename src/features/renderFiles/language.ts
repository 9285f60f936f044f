import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { renderFileGlob } from '../../renderFiles/renderFile';
import type { Foundation } from '../../foundation';
import { offerFixes } from '../links/fixCommand';
import { completions } from './completions';
import { definitions, styleRenames } from './definitions';
import { hovers } from './hovers';
import { quickFixes } from './quickFixes';
import type { RenderFiles } from './renderFiles';

/** Features for writing render files: completions, hovers, definitions, renaming, and quick fixes. */
export function helpToWrite(files: RenderFiles, foundation: Foundation): Disposable {
  const own = new Owned();
  const { languages } = vscode;
  const selector = { pattern: renderFileGlob };
  own.add(languages.registerCompletionItemProvider(selector, completions(files.hints, foundation), '"', ':', '/'));
  own.add(languages.registerHoverProvider(selector, hovers(files)));
  own.add(languages.registerDefinitionProvider(selector, definitions(files)));
  own.add(languages.registerRenameProvider(selector, styleRenames));
  const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  own.add(offerFixes('entry', foundation.log));
  own.add(languages.registerCodeActionsProvider(selector, quickFixes(files, foundation), kinds));
  return own;
}
