#!/usr/bin/env node
import { shellOf } from "./kit/shell.ts";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), shellOf(process));
