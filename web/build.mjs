// Makes each page one file that needs no other: markup, style and script together.
//
//   node web/build.mjs OUTPUT_DIRECTORY [PAGE...]
//
// A page lives in src/<page>/ as page.html, page.css and main.ts; page.html says with
// {{style}} and {{script}} where they go. The same sources give the same bytes.
import {build} from "esbuild";
import {mkdir, readFile, writeFile} from "node:fs/promises";
import path from "node:path";
import {fileURLToPath} from "node:url";

const source = path.join(path.dirname(fileURLToPath(import.meta.url)), "src");

// An HTML parser ends a script or a style at these letters, whatever language is inside.
function withoutEndTags(text) {
  return text.replaceAll(/<\/(script|style)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
}

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    absWorkingDir: source,
    logLevel: "warning",
  });
  return withoutEndTags(result.outputFiles[0].text.trim());
}

async function page(name) {
  const at = (file) => path.join(source, name, file);
  const markup = await readFile(at("page.html"), "utf8");
  const parts = {
    style: await bundle(at("page.css")),
    script: await bundle(at("main.ts"))
  };
  return markup.replaceAll(/\{\{(\w+)\}\}/g, (all, word) => parts[word] ?? all);
}

const [output, ...pages] = process.argv.slice(2);
await mkdir(output, {recursive: true});
for (const name of pages) {
  await writeFile(path.join(output, `${name}.html`), await page(name));
}
