//! Booleans of random pairs of all families, from seeds: their results are checked, and failures are printed
//! with the seed that makes them again.
//!
//! `cargo run --release -p ribbonmesh-solid --example boolean_pairs -- DEVICE COUNT SEED SECONDS [FAMILY…]`
// the families and checks of the tests, which an example cannot import
#[path = "../tests/it/boolean/pairs.rs"]
mod pairs;
use ribbonmesh::Device;
use std::time::Instant;

/// Counts of a family.
#[derive(Default)]
struct Counts {
    pairs: usize,
    errors: usize,
    wrong: usize,
    mended: usize,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = match arguments.next().as_deref() {
        Some("cuda") => Device::cuda(0)?,
        Some("cpu") => Device::cpu(),
        _ => return Err("DEVICE is cpu or cuda".into()),
    };
    let mut number =
        || arguments.next().ok_or("COUNT SEED SECONDS")?.parse::<u64>().map_err(|e| e.to_string());
    let (count, seed, seconds) = (number()?, number()?, number()?);
    let asked: Vec<String> = arguments.collect();
    let families: Vec<_> = pairs::FAMILIES
        .into_iter()
        .filter(|family| asked.is_empty() || asked.iter().any(|name| name == family.0))
        .collect();
    let mut all: Vec<Counts> = families.iter().map(|_| Counts::default()).collect();
    let start = Instant::now();
    'seeds: for seed in seed..seed + count {
        for (&(name, make), counts) in families.iter().zip(&mut all) {
            if start.elapsed().as_secs() >= seconds {
                println!("the time is over");
                break 'seeds;
            }
            let (meshes, begin) = (pairs::pair(make, seed), Instant::now());
            counts.pairs += 1;
            match pairs::combined(&device, &meshes) {
                Err(contradiction) => {
                    counts.wrong += 1;
                    println!("{name} {seed}: {contradiction}");
                }
                Ok(found) => {
                    for (operation, found) in pairs::ALL.iter().zip(found) {
                        match found {
                            Err(error) => {
                                counts.errors += 1;
                                println!("{name} {seed} {operation:?}: {error}");
                            }
                            Ok(report) => {
                                counts.mended += usize::from(report.rounds > 0);
                            }
                        }
                    }
                }
            }
            counts.seconds += begin.elapsed().as_secs_f64();
        }
    }
    println!("| family | pairs | results | mended | errors | contradictions | ms a result |");
    println!("|---|---|---|---|---|---|---|");
    for (family, of) in families.iter().zip(&all) {
        let results = 4 * of.pairs;
        println!(
            "| {} | {} | {results} | {} | {} | {} | {:.1} |",
            family.0,
            of.pairs,
            of.mended,
            of.errors,
            of.wrong,
            1e3 * of.seconds / results as f64
        );
    }
    Ok(())
}
