import { ensureBrowser, ensureFilmPrograms } from "@andon/testkit";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { png, StudioServer } from "./harness.ts";
import { outside } from "./outside.ts";

const executablePath = ensureBrowser();
const canRun = executablePath !== undefined && ensureFilmPrograms();

/** Runs in the page: seeks to the middle and plays to the end. */
const PLAY = `(async () => {
  const video = document.querySelector("video");
  await new Promise((resolve, reject) => {
    video.oncanplay = resolve;
    video.onerror = () => reject(new Error(video.error?.message));
    video.load();
  });
  video.currentTime = video.duration / 2;
  await new Promise((resolve) => { video.onseeked = resolve; });
  const from = video.currentTime;
  await video.play();
  await new Promise((resolve) => { video.onended = resolve; });
  return { width: video.videoWidth, from, to: video.currentTime, seconds: video.duration };
})()`;

test.skipIf(!canRun)("a film plays in a browser, also from its middle", async () => {
  const server = await StudioServer.start("sqlite");
  // A separate page without login. It forwards requests for the film, including their range.
  const page = await outside(async (request, response) => {
    if (request.url !== "/film.mp4")
      return response.setHeader("content-type", "text/html").end("<video muted src='/film.mp4'></video>");
    const { range } = request.headers;
    const film = await server.ask("GET", `/tasks/${id}/video`, { headers: range ? { range } : {} });
    for (const name of ["content-type", "content-range", "accept-ranges", "content-length"]) {
      const value = film.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.writeHead(film.status).end(film.body);
  });
  const id = await server.makeTask({ title: "봄", script: "하나.\n\n둘.\n\n셋." });
  const browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  try {
    await server.parked(id);
    await server.upload(id, png());
    await server.reaches(id, "youtube/completed");
    const tab = await browser.newPage();
    await tab.goto(page.url);
    const seen = (await tab.evaluate(PLAY)) as { width: number; from: number; to: number; seconds: number };
    expect(seen.width).toBe(320);
    expect(seen.from).toBeGreaterThan(0.5);
    expect(seen.to).toBeCloseTo(seen.seconds, 1);
  } finally {
    await browser.close();
    await page.close();
    await server.close();
  }
});
