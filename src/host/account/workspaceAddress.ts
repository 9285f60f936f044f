/**
 * The address a settings file of a project sets for the catalog, dotted or nested; undefined when it sets none. The editor does
 * not tell: it hides values that do not count. Comments and strings are read, the rest of the text is taken as it comes.
 */
export function addressIn(settingsText: string): string | undefined {
  const text = settingsText.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string?: string) => string ?? '',
  );
  const dotted = /"modelCatalog\.baseUrl"\s*:\s*"((?:\\.|[^"\\])*)"/.exec(text);
  const nested = /"modelCatalog"\s*:\s*\{[^{}]*"baseUrl"\s*:\s*"((?:\\.|[^"\\])*)"/.exec(text);
  return (dotted ?? nested)?.[1];
}
