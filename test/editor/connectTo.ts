import type { Workbench } from './workbench';

/** Connects to a service through the palette; resolves when the Status Bar shows its balance. */
export async function connectTo(workbench: Workbench, service: { readonly base: string; readonly key: string }) {
  await workbench.command('Model Catalog: Connect to Service…');
  await enter(workbench, 'https://models.example.com', service.base);
  await enterKey(workbench, service.key);
}

/** Enters the requested API key; resolves when the Status Bar shows the service's balance instead of the sandbox's. */
export async function enterKey(workbench: Workbench, key: string) {
  await enter(workbench, 'ai_live_…', key);
  await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: '€', hasNotText: 'Sandbox' }).waitFor();
}

async function enter(workbench: Workbench, placeholder: string, text: string) {
  const box = workbench.page.getByPlaceholder(placeholder);
  await box.fill(text);
  await box.press('Enter');
}
