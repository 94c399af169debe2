// Prints, for each file named in the arguments, its bytes as it is, by gzip and by brotli.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

for (const path of process.argv.slice(1)) {
  const bytes = readFileSync(path);
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  console.log([bytes.length, gzipSync(bytes, { level: 9 }).length, brotli.length].join(" "));
}
