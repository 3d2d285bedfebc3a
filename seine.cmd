@echo off
rem Starts Seine on Windows. Programs are not looked for in the working folder, which may be a hostile checkout.
setlocal
set "NoDefaultCurrentDirectoryInExePath=1"
where /q $PATH:node
if errorlevel 1 (
  echo Seine: Node.js 20 or newer with npm is needed: https://nodejs.org 1>&2
  exit /b 1
)
node "%~dp0scripts\launch.mjs" %*
