import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import { hashed, type Hashed } from './hashed';
import { inscribed, inscriptionIn, isInscribable, largestInscribed } from './inscription';
import type { Provenance } from './provenance';
import { replaceFile, type Replacing } from './replacement';
import { sniff } from './sniff';

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
  if (!isInscribable(mediaType) || bytes.length > largestInscribed) return undefined;
  const told = inscribed(bytes, mediaType, provenance);
  if (!told) return undefined;
  const made = await hashed(Buffer.concat(told.pieces), clock);
  const found = await inscriptionIn(made.bytes, clock);
  return found?.isOfThis && found.pictureSha256 === told.pictureSha256 ? made : undefined;
}
