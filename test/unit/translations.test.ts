import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as ts from 'typescript';
import manifestTexts from '../../package.nls.json';
import { renderActions } from '../../src/features/rendering/model/actions';
import { englishCompareStrings } from '../../src/features/compare/page/compareMessages';
import { englishGalleryStrings } from '../../src/features/gallery/page/galleryMessages';
import { englishOriginStrings } from '../../src/features/origin/page/originMessages';
import { englishSpendStrings } from '../../src/features/spending/page/spendMessages';
import { englishFormStrings } from '../../src/features/form/page/formMessages';

const languages = ['de', 'fr', 'es', 'ja'];
const calls = spoken();
/** Every sentence of the program: English texts are their own keys. */
const sentences = new Set([
  ...calls.literals,
  ...renderActions.map(({ label }) => label),
  ...Object.values(englishFormStrings),
  ...Object.values(englishGalleryStrings),
  ...Object.values(englishCompareStrings),
  ...Object.values(englishOriginStrings),
  ...Object.values(englishSpendStrings),
]);

/** What the sources pass to `l10n.t`, and where they pass something that can't be translated. */
function spoken(): { readonly literals: string[]; readonly others: string[] } {
  const found = { literals: [] as string[], others: [] as string[] };
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    const source = ts.createSourceFile(file, readFileSync(join('src', file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText(source))) {
        const [text] = node.arguments;
        if (text && ts.isStringLiteralLike(text)) found.literals.push(text.text);
        else found.others.push(`${file}: ${node.getText(source)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function read(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

/** What a translation must keep unchanged: placeholders, commands, and names. */
function fixed(text: string): string[] {
  return [
    ...(text.match(/\{\d+\}/g) ?? []),
    ...(text.match(/\((?:command|https):[^)]+\)/g) ?? []),
    ...(text.match(/`[^`]+`/g) ?? []),
    ...(text.match(/\$\{\w+\}/g) ?? []),
    ...(text.match(/modelCatalog\.[\w.]*\w/g) ?? []),
    ...(text.match(/\$\([\w-]+\)/g) ?? []),
    ...(text.match(/\n/g) ?? []),
  ].sort();
}

function checkTranslation(english: Record<string, string>, translated: Record<string, string>) {
  assert.deepEqual(
    {
      missing: Object.keys(english).filter((key) => !(key in translated)),
      unused: Object.keys(translated).filter((key) => !(key in english)),
    },
    { missing: [], unused: [] },
  );
  for (const [key, text] of Object.entries(translated)) {
    assert.notEqual(text.trim(), '', key);
    assert.deepEqual(fixed(text), fixed(english[key]!), text);
    assert.equal(text.includes('…'), english[key]!.includes('…'), `an ellipsis of its own: ${text}`);
  }
}

test('translators can find every sentence of the program', () => {
  // The webviews' tables are passed as a whole, so their sentences come from the tables.
  assert.deepEqual(
    calls.others.filter((call) => !/l10n\.t\((text\)|english(Form|Issue)Strings\[)/.test(call)),
    [],
  );
});

for (const language of languages) {
  test(`the program is translated in full: ${language}`, () => {
    const english = Object.fromEntries([...sentences].map((sentence) => [sentence, sentence]));
    checkTranslation(english, read(`l10n/bundle.l10n.${language}.json`));
  });

  test(`the manifest is translated in full: ${language}`, () => {
    checkTranslation(manifestTexts, read(`package.nls.${language}.json`));
  });
}

/** Where a language requires a no-break space: before “…” in German, around punctuation in French. */
const breaking = { de: / …/, fr: /« | [:;?!»]/ };

for (const [language, pattern] of Object.entries(breaking)) {
  test(`no line breaks before punctuation: ${language}`, () => {
    const files = [`l10n/bundle.l10n.${language}.json`, `package.nls.${language}.json`];
    const texts = files.flatMap((file) => Object.values(read(file)));
    assert.deepEqual(
      texts.filter((text) => pattern.test(text.replaceAll(/`[^`]*`/g, ''))),
      [],
    );
  });
}

/** Words that a language's glossary has replaced, and what to write instead. */
const replaced: Readonly<Record<string, readonly (readonly [wrong: RegExp, right: string])[]>> = {
  de: [
    [/berechne/i, 'abgebucht'],
    [/angezeigte[rnms]? Preis/i, 'genannter Preis'],
    [/(?<!\p{L})in Bearbeitung/iu, 'laufend'],
    [/überprüf/i, 'prüfen'],
    [/schnellrender/i, 'Quick Render'],
    [/bild(?:er|ern)? an(?:nehmen|genommen)/i, 'übernehmen'],
    [/budget ohne/i, 'Freibetrag'],
    [/Renderverlauf/i, 'Rendering-Verlauf'],
    [/Dateiendung/i, 'Dateierweiterung'],
    [/Einzelheiten/, 'Details'],
    [/Agents(?!\p{L})/u, 'Agenten'],
    [/^(?:Alle )?Agenten (?:von .*)?trennen|Agenten sind getrennt/, 'Verbindung zu Agenten trennen'],
    [/(?:dieser|diesem|dieses|des) Editors?(?!\p{L})/iu, 'VS Code'],
    [/(?<!\p{L})(?:du|dich|dir|dein\p{L}*)(?!\p{L})/iu, 'Sie'],
  ],
  fr: [
    [/plus à jour/i, 'obsolète'],
    [/périmé/i, 'obsolète'],
    [/prix affiché/i, 'prix annoncé'],
    [/débit/i, 'facturé'],
    [/\} (?:facturé|remboursé)s/i, 'facturé : {0}, remboursé : {0}'],
    [/(?<!\p{L})rendre(?!\p{L})/iu, 'générer'],
    [/génération rapide/i, 'Rendu rapide'],
    [/(?<!\p{L})entrez/iu, 'saisissez'],
    [/supprim\p{L}*(?: « \{0\} »| \{0\} rendus)? auprès du service/iu, 'supprimer du service'],
    [/fichiers? de rendus(?!\p{L})/iu, 'fichier de rendu'],
    [/énumèrent|répertori/i, 'lister'],
    [/texte de remplacement/i, 'texte alternatif'],
    [/budget sans/i, 'enveloppe'],
    [/cet éditeur|secrets de l’éditeur/i, 'VS Code'],
    [/vous (?:êtes|serez|y êtes) \p{L}+é(?!\p{L})/iu, 'a phrase that guesses no gender'],
    [/(?<!\p{L})(?:tu|toi|tes|ton)(?!\p{L})/iu, 'vous'],
  ],
  es: [
    [/(?<!\p{L})añad/iu, 'agregar'],
    [/sidecar/i, 'archivo complementario'],
    [/límite diario/i, 'tope diario'],
    [/\bcoste\b/i, 'costo'],
    [/\bcargos?\b/i, 'cobro'],
    [/sustitu/i, 'reemplazar'],
    [/no se inició ni se cobró/i, 'no se iniciaron ni se cobraron'],
    [/no se ha enviado ni cobrado/i, 'no se envió ni se cobró'],
    [/(?:este|del) editor\b/i, 'VS Code'],
    [/(?<!\p{L})(?:tú|tus?|ti|contigo)(?!\p{L})/iu, 'usted'],
  ],
  ja: [
    [/不足している(?:画像| ?\{0\} 枚)/, '見つからない画像'],
    [/最新で(?:は?ない|はありません)/, '古い'],
    [/課金/, '請求'],
    [/表示価格/, '見積価格'],
    [/回答/, '応答'],
    [/承認/, '適用'],
    [/忘れ/, '履歴から削除'],
    [/無人/, '確認なしで使える'],
    [/切り抜/, '切り落とす、トリミング'],
    [/[個つ]の(?:新しい)?画像/, '枚の画像'],
    [/[“”]/, '「」'],
    [/このエディター/, 'VS Code'],
    [/すでに/, '既に'],
  ],
};

for (const [language, words] of Object.entries(replaced)) {
  test(`one word for one thing: ${language}`, () => {
    const files = [`l10n/bundle.l10n.${language}.json`, `package.nls.${language}.json`];
    const texts = files.flatMap((file) => Object.values(read(file)));
    assert.deepEqual(
      words.flatMap(([wrong, right]) => texts.filter((text) => wrong.test(text)).map((text) => `${right}: ${text}`)),
      [],
    );
  });
}
