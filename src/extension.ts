import type * as vscode from 'vscode';
import { Owned } from './base/disposable';
import * as account from './host/account/register';
import * as agents from './host/agents/register';
import * as compare from './host/compare/register';
import * as form from './host/form/register';
import * as gallery from './host/gallery/register';
import * as generations from './host/generations/register';
import * as missing from './host/missing/register';
import * as models from './host/models/register';
import * as origin from './host/origin/register';
import * as prices from './host/prices/register';
import * as quickRender from './host/quickRender/register';
import * as renderFiles from './host/renderFiles/register';
import * as renders from './host/renders/register';
import * as selection from './host/selection/register';
import * as spend from './host/spend/register';
import * as tools from './host/tools/register';
import { openServices } from './services';

const features = [
  account,
  models,
  missing,
  renderFiles,
  generations,
  form,
  compare,
  origin,
  quickRender,
  prices,
  selection,
  gallery,
  spend,
  tools,
];

/** Registers every feature and returns; heavy code loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Owned();
  context.subscriptions.push(own);
  const services = openServices(own, context);
  for (const feature of features) feature.register(own, services);
  agents.register(own, services, services.agentTools);
  void services.connection.startUnlessSandbox();
  // Earlier windows' work resumes once everything that shows it exists.
  renders.register(own, services);
}
