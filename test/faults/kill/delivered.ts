/** A result as the service delivered it: an image without the chunk that says how it was made. */
export function delivered(bytes: Buffer): Buffer {
  const at = bytes.indexOf('iTXtXML:com.adobe.xmp') - 4;
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 12 + bytes.readUInt32BE(at))]);
}
