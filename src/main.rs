//! keima
use keima::board::*;
fn main() {
    for (n, c) in [(9, 200_000u32), (13, 100_000), (19, 50_000)] {
        let b = Board::new(Size::square(n).expect("x"));
        let mut v = vec![];
        for _ in 0..5 {
            let t = cpu_time::ProcessTime::now();
            let (m, w) = b.with_grid(keima::playout::B(c));
            let e = t.elapsed().as_secs_f64();
            v.push((
                f64::from(c) / e,
                m as f64 / f64::from(c),
                w as f64 / f64::from(c),
                e * 1e9 / m as f64,
            ));
        }
        v.sort_by(|a, b| a.0.total_cmp(&b.0));
        #[expect(clippy::print_stdout)]
        {
            println!("{n}: {:?}", v[2]);
        }
    }
}
