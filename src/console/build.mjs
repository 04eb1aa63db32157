/**
 * Builds the console into `dist/console`: `npm ci` runs it, and the server where the files are missing or old. It is
 * plain JavaScript without packages beside Vite, and never fails an installation: it reports why nothing was built.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const FOLDER = dirname(fileURLToPath(import.meta.url));
const PROJECT = join(FOLDER, "../..");
const BUILT = join(PROJECT, "dist/console");
const SOURCES = ["src/console", "src/client"];
const COMPRESSED = /\.(?:js|css|svg|webmanifest)$/;

/** Gives the digest of everything that decides how the built files look. */
export async function digestOfSources() {
  const hash = createHash("sha256");
  const files = (await Promise.all(SOURCES.map((folder) => filesBelow(join(PROJECT, folder))))).flat();
  for (const file of [...files.toSorted(), join(PROJECT, "package-lock.json")]) {
    hash.update(`${relative(PROJECT, file)}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest("hex");
}

/** Gives the digest of the sources of the built files; `null` if there are none. */
export async function digestOfBuilt() {
  try {
    const { sources } = JSON.parse(await readFile(join(BUILT, "built-from.json"), "utf8"));
    return typeof sources === "string" ? sources : null;
  } catch {
    return null;
  }
}

const DOCUMENT = /export const (\w+) = new TypedDocumentString\(`([^`]*)`[^;]*;/g;

/**
 * Makes each generated document of GraphQL a module of its own, as a plain text without line breaks. A part of the console
 * then loads its own documents alone, and the first page none of those of other pages. Without their class: a document that
 * is evaluated before it would fail.
 */
const splitDocuments = {
  name: "split-documents",
  apply: "build",
  enforce: "pre",
  resolveId: {
    filter: { id: /\?document=\w+$/ },
    handler: (id) => ({ id, moduleSideEffects: false }),
  },
  load: {
    filter: { id: /\?document=\w+$/ },
    handler: async (id) => {
      const [file, name] = id.split("?document=");
      const documents = (await readFile(file, "utf8")).matchAll(DOCUMENT);
      const [, , text] = documents.find(([, found]) => found === name);
      return `export const ${name} = ${JSON.stringify(text.replaceAll(/\s+/g, " ").trim())};`;
    },
  },
  transform: {
    filter: { id: /\/generated\/graphql\.ts$/ },
    handler: (code, id) => ({
      code: code.replaceAll(DOCUMENT, (_text, name) => `export { ${name} } from "${id}?document=${name}";`),
      map: null,
      moduleSideEffects: false,
    }),
  },
};

/** The settings of Vite, for a build and for the server of developers. */
export function viteSettings() {
  return {
    root: FOLDER,
    configFile: false,
    logLevel: "error",
    plugins: [splitDocuments],
    oxc: { jsx: { runtime: "automatic", importSource: "react" } },
    css: { modules: { localsConvention: "camelCaseOnly" } },
    build: {
      target: "es2024",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    worker: { format: "es" },
  };
}

/** Builds into a folder beside the final one and swaps them, so that a build that fails leaves the files as they were. */
async function build() {
  const sources = await digestOfSources();
  // The tools read it: without it a variable of the host would decide whether the libraries are those for developers.
  process.env.NODE_ENV = "production";
  const { build: bundle } = await import("vite");
  const partial = `${BUILT}.${process.pid}.partial`;
  const settings = viteSettings();
  try {
    await bundle({ ...settings, build: { ...settings.build, outDir: partial, emptyOutDir: true } });
    for (const file of await filesBelow(partial)) if (COMPRESSED.test(file)) await compress(file);
    await writeFile(join(partial, "built-from.json"), `${JSON.stringify({ sources })}\n`);
    await putInPlace(partial, sources);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Swaps the built files. Another process that built from equal sources may be faster: its files are as good. */
async function putInPlace(partial, sources) {
  for (;;) {
    await rm(BUILT, { recursive: true, force: true });
    try {
      return await rename(partial, BUILT);
    } catch (error) {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
      if ((await digestOfBuilt()) === sources) return;
    }
  }
}

/** Builds the page with every part in every state: only tests load it. */
async function buildSpecimens(folder) {
  process.env.NODE_ENV = "production";
  const { build: bundle } = await import("vite");
  const settings = viteSettings();
  const root = join(FOLDER, "specimens");
  await bundle({ ...settings, root, build: { ...settings.build, outDir: folder, emptyOutDir: true } });
}

async function compress(file) {
  const bytes = await readFile(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Serves the sources with reloads, and passes requests of the API to a Holdpoint that runs. */
async function develop(server) {
  const { createServer } = await import("vite");
  const proxy = { target: server, ws: true };
  const paths = ["/graphql", "/graphiql", "/auth", "/runs", "/plans", "/state-versions"];
  const vite = await createServer({
    ...viteSettings(),
    server: { proxy: Object.fromEntries(paths.map((path) => [path, proxy])) },
  });
  await vite.listen();
  vite.printUrls();
}

async function main([command, place]) {
  if (command === "dev") return develop(place ?? "http://127.0.0.1:4000");
  if (command === "specimens") return buildSpecimens(place);
  try {
    if ((await digestOfBuilt()) !== (await digestOfSources())) await build();
  } catch (error) {
    const isMissing = error?.code === "ERR_MODULE_NOT_FOUND";
    const reason = isMissing ? "its tools are not installed. Run npm ci (without --omit=dev)" : error?.message;
    process.stderr.write(`The console is not built: ${reason}.\n`);
    // An installation succeeds without it; the server asks for the exit code.
    if (command === "--strict") process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
