import * as vscode from 'vscode';
import type { Span } from '../../documents/scan';
import type { EntryProblem } from '../../renderFiles/renderFile';
import { entryProblemSentence } from '../../renderFiles/words';
import type { RenderText } from './renderFiles';

/** A problem as the Problems view displays it. */
export function diagnosticOf(text: RenderText, problem: EntryProblem): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.severity === 'error' ? Error : Warning;
  const diagnostic = new vscode.Diagnostic(
    rangeOf(text, problem),
    entryProblemSentence(problem, vscode.l10n),
    severity,
  );
  diagnostic.source = 'Model Catalog';
  diagnostic.code = problem.code;
  return diagnostic;
}

/** A span of a document as the editor has it. */
export function rangeOf(document: Pick<vscode.TextDocument, 'positionAt'>, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
