// Runs before every npm script that starts Holdpoint. Plain JavaScript, so that an old Node can still report the problem.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `Holdpoint needs Node.js 24 or newer; this is ${process.version}. It comes with the install: run "npm ci" ` +
      `with install scripts allowed for the package "node", then use the npm scripts (npm start, npm test).`,
  );
  process.exit(1);
}
