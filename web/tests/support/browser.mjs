// Chromium without a screen. CHROMIUM names another one.
import {chromium} from "playwright-core";

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox"]
  });
}

// Opens a page and remembers whatever went wrong in it.
export async function open(browser, address, options = {}) {
  const context =
    await browser.newContext({viewport: {width: 1440, height: 900}, ...options});
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) errors.push(`asks for ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => window.ridgeline?.ready === true);
  return {page, errors, close: () => context.close()};
}
