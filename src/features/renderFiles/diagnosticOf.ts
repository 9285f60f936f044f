import * as vscode from 'vscode';
import type { Problem } from '../../renderFiles/renderFile';
import { problemSentence } from '../../renderFiles/words';
import { rangeOf } from './rangeOf';
import type { RenderText } from './renderFiles';

/** A problem as the Problems view displays it. */
export function diagnosticOf(text: RenderText, problem: Problem): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.severity === 'error' ? Error : Warning;
  const diagnostic = new vscode.Diagnostic(rangeOf(text, problem), problemSentence(problem, vscode.l10n), severity);
  diagnostic.source = 'Model Catalog';
  diagnostic.code = problem.code;
  return diagnostic;
}
