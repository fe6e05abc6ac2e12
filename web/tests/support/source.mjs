// A module of src/, as node can import it.
import {build} from "esbuild";
import path from "node:path";
import {fileURLToPath} from "node:url";

const source = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "src");

export async function load(file) {
  const result = await build({
    entryPoints: [path.join(source, file)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    logLevel: "warning"
  });
  return import(`data:text/javascript;base64,${
    Buffer.from(result.outputFiles[0].contents).toString("base64")}`);
}
