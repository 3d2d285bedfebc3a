/** Names that many people bear and the locales leave out; those of languages that are written in another script, and the most frequent family names of the United States. */
export const COMMON_NAMES = {
  first: words(`
    Akira Akiko Aiko Ayumi Chiyo Daiki Emi Eiji Fumiko Goro Haruka Haruki Haruto Hideo Hideki Hikari Hina Hiro Hiroko Hiroshi
    Hiroto Ichiro Isamu Jiro Jun Junko Kaede Kana Kaori Katsuo Kazuki Kazuo Kei Keiko Keita Ken Kenji Kenta Kiyoshi Koji Kota Kumiko
    Kyoko Madoka Mai Makoto Mami Manabu Mariko Masaki Masako Masao Masashi Mayumi Megumi Michiko Midori Mika Miki Minoru Misaki
    Mitsuko Miyuki Momoko Nana Nanami Naoki Naoko Naomi Natsuki Nobu Nobuo Noriko Osamu Rei Reiko Ren Rika Rina Riku Ryo Ryota Sachiko
    Saki Sakura Satoru Satoshi Sayuri Seiji Shigeru Shin Shinji Shiro Shizuka Shota Sora Sumiko Susumu Tadashi Taichi Takahiro Takako
    Takao Takashi Takeshi Takumi Taro Tatsuya Tetsuo Tetsuya Tomoko Toru Toshio Tsubasa Tsuyoshi Yasuko Yasuo Yoko Yoshiko
    Yoshio Yuichi Yuka Yuki Yukiko Yuko Yumi Yuri Yusuke Yuta Yuto
    Aisha Ahmad Ahmed Ali Amina Amir Amira Bilal Farah Farid Fatima Hamid Hamza Hassan Hussein Ibrahim Jamal Karim Khadija Khalid Layla
    Leila Mahmoud Malik Mariam Mohamed Mohammad Mohammed Muhammad Mustafa Nadia Nasser Noor Nour Omar Osama Rashid Reem Saeed Salma
    Samir Samira Sara Tariq Yasmin Yasmine Youssef Yusuf Zahra Zainab
    Akhmed Aslan Aslanbek Khasan Khusein Magomed Ramzan Ruslan Shamil Zelimkhan
    Jing Ling Ming Wei Xiao Xin Yan Ying Yu Hao Jian Jie Lei Mei Min Ping Qiang Tao Yong Zhen Jiwoo Minjun Seojun Jihoon Hyun Soo Yuna
    Olga Svetlana Tatiana Natalia Irina Ekaterina Dmitri Dmitry Sergei Sergey Alexei Aleksey Andrei Andrey Yuri Vladimir 
    Anatoly Nikolai Nikolay Mikhail Grigory Gregory Evgeny Eugene Oleg Igor Vasily Valentina Ludmila Lyudmila Galina Larisa
    Björk Björn Guðrún Sigríður Kristín Margrét Jóhanna Anna Jón Sigurður Guðmundur Gunnar Ólafur Einar Kristján Magnús Stefán
    Snorri Þór Þórdís Hildur Ragnheiður Katrín Ásta Svanhildur Vilhjálmur Haraldur
    Bojan Boštjan Tadej Matej Primož Luka Jure Gregor Anže Rok Nejc Uroš Aleš Tomaž Andrej Janez Marjan Jože Mojca Nataša Urška Petra
    Katja Špela Alenka Irena Barbara Mateja Nina Neža Tjaša Saša Zoran Željko Dragan Goran Slavko Branko Milan`),
  last: words(`
    Allen Nelson Baker Morris Rogers Cooper Bennett Foster Perry Russell Sullivan Coleman Butler Barnes Simmons Patterson Griffin Wallace Bryant
    Stevens Marshall Owens Harrison McDonald Freeman Webb Tucker Crawford Simpson Gordon Shaw Snyder Hicks Palmer Boyd Warren Ferguson
    Nichols Stephens Gardner Payne Dunn Kelley Hawkins Pierce Bradley Elliott Cunningham Duncan Riley Andrews Perkins Matthews Willis
    Lawrence Chapman Watkins Greene Wheeler Burke Franklin Carlson Carr Lawson O'Brien Montgomery Gilbert Sims Hanson McCoy Garrett Burton
    Bowman Fowler Davidson Newman Pearson Curtis Barrett Stanley Hopkins Barnett Caldwell Craig Frazier Neal Gregory Sutton Fleming Shelton
    Jennings Watts Walters Cohen McDaniel Moran Vaughn Holt Barker Hale Benson Haynes Horton Thornton Wolfe Warner McKinney Dawson Fletcher
    McCarthy Erickson Reeves Baldwin Higgins Bowen Robbins Ramsey Griffith Blair O'Connor Swanson Rodgers Fitzgerald Stevenson Manning
    Harmon McGee Garner Burgess Reese Adkins Brady Goodman Hines Mullins Malone Tate Hubbard Hodges Saunders Gallagher Hammond Hampton
    Townsend Ingram Maxwell Strickland Parsons Harrington Osborne Buchanan Floyd Patton Bowers Cobb Conner Moody McGuire Lloyd McBride
    Lindsey Norton McCormick Flynn Yates Hogan Pratt Ballard Burnett Shaffer Cochran Nash Wilkins Briggs Nicholson Holloway Hoover Meyers
    Underwood Greer Carson Morrow Clayton Whitaker Yoder Carey Poole Roberson Conley Davenport Copeland Massey Huff Pittman Randall Singleton
    Mathis Bradford Boone Kirby Atkinson Hodge Sweeney Wyatt Barron Phelps Dickerson Foley Atkins Mathews Hensley Harrell Huffman Garrison
    Hancock Callahan Dillon Cline Wiggins Melton O'Neill O'Neal Oneal Parrish Brennan McDowell Humphrey Baxter Hutchinson Wiley Gilmore Hobbs
    Wilkerson McClain Henson Mosley Beasley Stephenson Eaton Blackwell Stafford Hurst Woodard Merritt Kline Lester Knox Kerr Whitehead Pruitt
    Conway McKee McIntyre Blankenship Gaines Bartlett Dorsey McCall O'Donnell Browning Lowery Sloan Hendricks Calhoun Sexton Gentry Ellison
    Gillespie Middleton Leblanc Hardin Bradshaw McIntosh Livingston Knapp Buckley McFarland Hebert Hickman Randolph Pennington Giles Crosby
    Fitzpatrick Donovan Mays Mahoney Peck Hurley Harding McConnell Ayers Pugh Shepard McMahon Landry Sampson Blackburn Dunlap Gould Duffy
    Vaughan McKay Farley Friedman Potts Blevins Clements Benton Dougherty Finley Dodson Mullen Moyer Frye Sheppard McCarty Waller Woodward
    Donaldson Faulkner Maynard Coffey Estes Burch Maddox O'Connell Spence McPherson Compton Dudley Pollard Hester Hinton Madden McCann
    Terrell Jarvis Dickson Cantrell Hendrix Rollins Rowland Odom
    Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Yamaguchi Matsumoto Inoue Kimura
    Hayashi Shimizu Yamazaki Mori Abe Ikeda Hashimoto Yamashita Ishikawa Nakajima Maeda Fujita Ogawa Goto Okada Hasegawa Murakami Kondo
    Ishii Saito Sakamoto Endo Aoki Fujii Nishimura Fukuda Ota Miura Fujiwara Okamoto Matsuda Nakagawa Nakano Harada Ono Tamura Takeuchi
    Kaneko Wada Nakayama Ishida Ueda Morita Hara Shibata Sakai Kudo Yokoyama Miyazaki Miyamoto Uchida Takagi Ando Taniguchi Ohno Maruyama
    Imai Takada Fujimoto Takeda Murata Ueno Sugiyama Masuda Sugawara Hirano Kojima Otsuka Chiba Kubo Matsui Iwasaki Sakurai Kinoshita
    Noguchi Matsuo Nomura Kikuchi Sano Onishi Sugimoto Arai Hamada Ichikawa Furukawa Mizuno Komatsu Shimada Koyama Nishida Kawamura
    Honda Iwata Hoshino Kawaguchi Tsuji Yano Higuchi Nagai
    Chen Wang Zhang Liu Yang Huang Zhao Zhou Wu Xu Sun Zhu Gao Lin Guo Luo Liang Song Zheng Xie Tang Feng Deng Xiao Cheng Cao Peng Zeng
    Nguyen Tran Pham Hoang Huynh Phan Dang Bui Duong Kim Park Choi Jung Kang Cho Yoon Jang Lim Han Shin Seo Kwon Hwang Ahn
    Ivanov Petrov Smirnov Kuznetsov Popov Sokolov Lebedev Kozlov Novikov Morozov Volkov Alekseev Orlov Pavlov Semenov Golubev Vinogradov
    Bogdanov Vorobyov Fedorov Mikhailov Belyaev Tarasov Belov Komarov Kiselev Makarov Andreev Kovalev Ilyin Gusev Titov Kuzmin Kudryavtsev
    Kadyrov Maskhadov Dudayev Umarov Basayev Zakayev
    Novak Horvat Kovačič Krajnc Zupančič Potočnik Kovač Mlakar Kos Vidmar Golob Turk Božič Kralj Korošec Zupan Bizjak Hribar Rozman Kotnik
    Haddad Hussain Khan Rahman Siddiqui Chaudhry Qureshi Malik Sheikh Syed Singh Kaur Kumar Patel Shah Gupta Sharma Verma Reddy Rao Iyer
    Okafor Okonkwo Adeyemi Okeke Eze Balogun Mensah Owusu Boateng Osei Appiah Mwangi Otieno Kamau Njoroge Dlamini Nkosi Ndlovu Mokoena`),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
