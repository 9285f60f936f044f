import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as ts from 'typescript';

/** One import in a file of ours. */
export interface Import {
  /** A file of ours by its path below `src`, without extension; else the package’s name. */
  readonly from: string;
  /** Only types are imported, so nothing at run time. */
  readonly isType: boolean;
  /** Loaded when first needed. */
  readonly isLazy: boolean;
}

/** One file of the project's own sources. */
export interface Source {
  /** Below `src`, without extension, `/` between segments. */
  readonly path: string;
  readonly folder: string;
  readonly lines: readonly string[];
  readonly imports: readonly Import[];
  /** Every function with a body, with its number of lines. */
  readonly functions: readonly { readonly name: string; readonly lines: number }[];
  /** The names of its types, of any kind. */
  readonly types: readonly string[];
  /** The names of what it declares and exports, of any kind. */
  readonly exported: readonly string[];
  /** How many types it makes of others' parts, with `Pick` or `Omit`. */
  readonly parts: number;
}

/** All sources below a folder, sorted by path. */
export function readSources(folder = 'src'): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .sort()
    .map((file) => sourceOf(file, readFileSync(join(folder, file), 'utf8')));
}

/** The facts about a file with this text. */
export function sourceOf(file: string, text: string): Source {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = {
    imports: [] as Import[],
    functions: [] as Source['functions'][number][],
    types: [] as string[],
    exported: [] as string[],
    parts: 0,
  };
  const visit = (node: ts.Node): void => {
    const imported = importOf(file, node);
    if (imported) found.imports.push(imported);
    if (isFunction(node) && node.body) found.functions.push({ name: nameOf(node), lines: linesOf(parsed, node) });
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
      if (node.name) found.types.push(node.name.text);
    if (isExported(node)) found.exported.push(...declaredNames(node));
    if (isPart(node)) found.parts++;
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  const path = file.replace(/\.tsx?$/, '');
  return { path, folder: posix.dirname(path), lines: text.replace(/\n$/, '').split('\n'), ...found };
}

function importOf(file: string, node: ts.Node): Import | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    const { text } = node.moduleSpecifier as ts.StringLiteral;
    return { from: resolved(file, text), isType: isTypeOnly(node), isLazy: false };
  }
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  const [module] = node.arguments;
  return module && ts.isStringLiteral(module)
    ? { from: resolved(file, module.text), isType: false, isLazy: true }
    : undefined;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const { importClause } = node;
  if (!importClause) return false;
  const { namedBindings } = importClause;
  const isNamed = namedBindings && ts.isNamedImports(namedBindings) && !importClause.name;
  return (
    importClause.phaseModifier === ts.SyntaxKind.TypeKeyword ||
    (isNamed === true &&
      namedBindings.elements.length > 0 &&
      namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly))
  );
}

function resolved(file: string, from: string): string {
  return from.startsWith('.') ? posix.join(posix.dirname(file), from) : from;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node;
}

function isExported(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

function isPart(node: ts.Node): boolean {
  const name = ts.isTypeReferenceNode(node) ? node.typeName : ts.isExpressionWithTypeArguments(node) && node.expression;
  return name !== false && /^(Pick|Omit)$/.test(name.getText());
}

function declaredNames(node: ts.Node): string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = node as ts.DeclarationStatement;
  return name ? [name.getText()] : [];
}

function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : '';
}

function linesOf(parsed: ts.SourceFile, node: ts.Node): number {
  const line = (at: number) => parsed.getLineAndCharacterOfPosition(at).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
}
