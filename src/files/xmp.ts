import type { Clock, Random } from '../base/clock';
import { redact } from '../base/log';
import { embedded, embeddedMetadataIn, isEmbeddable, largestEmbeddable } from './embeddedMetadata';
import { dateText, type Provenance, readProvenance, sandboxService, writeProvenance } from './provenance';
import { replaceFile, type Replacing } from './replacement';
import { hashed, type Hashed } from './sameFile';
import { sniff } from './sniff';

/** The namespace of our own properties. */
const ownSpace = 'model-catalog:ns:render/1/';
const iptcSpace = 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/';
const rdfSpace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const xmpSpace = 'http://ns.adobe.com/xap/1.0/';
/** Dublin Core terms, which C2PA uses to refer to external manifests. */
const termsSpace = 'http://purl.org/dc/terms/';
/** IPTC's vocabulary for the origin of images. */
const sourceTypes = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** An XMP packet with how an image was made, in IPTC's terms for other tools and in our own. */
export function newPacket(provenance: Provenance): string {
  const facts = [...toolFacts(provenance), ...iptcFacts(provenance), ownFact(provenance)];
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdfSpace}">`,
    description('', facts),
    '</rdf:RDF></x:xmpmeta>',
    '<?xpacket end="w"?>',
  ].join('\n');
}

/** An existing packet with the same added and nothing removed; undefined when it can't be added. */
export function extendedPacket(packet: string, provenance: Provenance): string | undefined {
  const end = [...packet.matchAll(/<\/[\w.-]+:RDF\s*>/g)].at(-1)?.index;
  // An image can't have two of our records.
  if (end === undefined || packet.includes(ownSpace)) return undefined;
  const isMissing = (name: string) => !packet.includes(name.slice(name.indexOf(':')));
  const missing = iptcFacts(provenance).filter(([name]) => isMissing(name));
  // All descriptions in a packet are about the same resource, by the same name.
  const about = /\babout\s*=\s*(?:"([^"<]*)"|'([^'"<]*)')/.exec(packet);
  const added = description(about?.[1] ?? about?.[2] ?? '', [...missing, ownFact(provenance)]);
  return `${packet.slice(0, end)}${added}\n${packet.slice(end)}`;
}

/** True when a packet is ours alone, and about the image with this hash. */
export function isOnlyAbout(packet: string, pictureSha256: string): boolean {
  const metadata = provenanceInPacket(packet);
  return metadata?.sha256 === pictureSha256 && withoutOwnFact(newPacket(metadata)) === withoutOwnFact(packet);
}

/** Its JSON can be written in more than one way. */
function withoutOwnFact(packet: string): string {
  return packet.replace(/<modelCatalog:Render>[^<]*</, '');
}

/** True when a packet refers to an external signature (C2PA's remote manifest), which any change would invalidate. */
export function isSignedElsewhere(packet: string): boolean {
  const prefixes = new Set(['dcterms', ...prefixesOf(packet, termsSpace)]);
  const named = packet.matchAll(/(?<![\w.-])([\w.-]{1,64}):provenance/g);
  return [...named].some(([, prefix = '']) => prefixes.has(prefix));
}

/** How the image was made, from its packet, whichever tool wrote that last; undefined if it has no record. */
export function provenanceInPacket(packet: string): Provenance | undefined {
  const [prefix] = prefixesOf(packet, ownSpace);
  if (prefix === undefined) return undefined;
  const element = new RegExp(`<${prefix}:Render(?:\\s[^<>]*)?>([^<]*)<`).exec(packet);
  const attribute = new RegExp(`\\s${prefix}:Render\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(packet);
  const text = element?.[1] ?? attribute?.[1] ?? attribute?.[2];
  return text === undefined ? undefined : readProvenance(fromXml(text));
}

/** The prefixes of a namespace in a packet. */
function prefixesOf(packet: string, space: string): string[] {
  const given = packet.matchAll(/xmlns:([\w.-]{1,64})\s{0,64}=\s{0,64}(?:"([^"<]{0,256})"|'([^'<]{0,256})')/g);
  return [...given].flatMap(([, prefix, one, other]) => ((one ?? other) === space ? (prefix ?? []) : []));
}

type XmpFact = readonly [name: string, text: string];

function description(about: string, facts: readonly XmpFact[]): string {
  const spaces = `xmlns:rdf="${rdfSpace}" xmlns:xmp="${xmpSpace}" xmlns:Iptc4xmpExt="${iptcSpace}" xmlns:modelCatalog="${ownSpace}"`;
  const elements = facts.map(([name, text]) => `<${name}>${toXml(redact(text))}</${name}>`);
  return [`<rdf:Description rdf:about="${about}" ${spaces}>`, ...elements, '</rdf:Description>'].join('\n');
}

function toolFacts({ tool, orderedAt, adopted }: Provenance): XmpFact[] {
  if (adopted) return [];
  return given([
    ['xmp:CreatorTool', tool],
    ['xmp:CreateDate', dateText(orderedAt)],
  ]);
}

/** Whether a model made an adopted image is unknown. */
function iptcFacts({ service, modelId, inputs, adopted }: Provenance): XmpFact[] {
  if (adopted) return [];
  // The sandbox draws by its own rules, without a trained model.
  const source = service === sandboxService ? 'algorithmicMedia' : 'trainedAlgorithmicMedia';
  return given([
    ['Iptc4xmpExt:DigitalSourceType', `${sourceTypes}${source}`],
    ['Iptc4xmpExt:AISystemUsed', modelId],
    ['Iptc4xmpExt:AIPromptInformation', typeof inputs.prompt === 'string' ? inputs.prompt : undefined],
  ]);
}

function ownFact(provenance: Provenance): XmpFact {
  return ['modelCatalog:Render', writeProvenance(provenance)];
}

function given(facts: readonly (readonly [string, string | undefined])[]): XmpFact[] {
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters that XML can't hold, not even as references, with a space. */
function toXml(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\p{Cs}]/gu, ' ')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function fromXml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return characters[name] ?? whole;
      const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/**
 * Embeds metadata in an existing file (URI) with these bytes, and keeps its image, name, and permissions. False,
 * without any change, when its format, a signature, or its being read-only prevents it. Rejects with FileProblem, or
 * with NotReplaced when the file has changed meanwhile.
 */
export async function embedInFile(
  files: Replacing,
  file: string,
  whole: Hashed,
  provenance: Provenance,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<boolean> {
  const made = await withMetadata(whole.bytes, provenance, clock);
  if (!made || (await files.read(file))?.isReadOnly) return false;
  const agreed = { sha256: whole.sha256, isReadOnly: false };
  const earlier = await replaceFile(files, file, made, agreed, random, () => {});
  const kept = earlier && (await files.read(earlier.uri));
  // Its image and all its metadata are in the new file.
  if (earlier && kept?.sha256 === earlier.sha256) await files.remove(earlier.uri, kept);
  return true;
}

/** The file with the metadata, read back to be sure that its image is the same. */
async function withMetadata(bytes: Uint8Array, provenance: Provenance, clock: Clock): Promise<Hashed | undefined> {
  const { mediaType } = sniff(bytes);
  if (!isEmbeddable(mediaType) || bytes.length > largestEmbeddable) return undefined;
  const metadata = embedded(bytes, mediaType, provenance);
  if (!metadata) return undefined;
  const made = await hashed(Buffer.concat(metadata.pieces), clock);
  const found = await embeddedMetadataIn(made.bytes, clock);
  return found?.isOfThis && found.pictureSha256 === metadata.pictureSha256 ? made : undefined;
}
