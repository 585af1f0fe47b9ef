// Prints a line of JSON for each glTF file that is named on a line of the standard input: errors, warnings, the first error.
const fs = require('fs');
const validator = require('gltf-validator');
(async () => {
  const files = fs.readFileSync(0, 'utf8').split('\n').filter((line) => line);
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 100 });
    const { numErrors, numWarnings, messages } = report.issues;
    const first = messages.find((message) => message.severity === 0);
    const said = first ? `${first.code} at ${first.pointer}: ${first.message}` : null;
    console.log(JSON.stringify({ errors: numErrors, warnings: numWarnings, first: said }));
  }
})();
