#!/usr/bin/env node
// Exists before the first build, so an install can link the command.
import '../bundle/bin.js';
